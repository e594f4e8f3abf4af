"""Addresses of the funnels."""

from django.urls import path

from dashboard.funnels import views

app_name = "funnels"
urlpatterns = [
    path("", views.funnels, name="funnels"),
    path("<str:funnel_id>/", views.funnel, name="funnel"),
    path("<str:funnel_id>/arrange/", views.arrange, name="arrange"),
    path("<str:funnel_id>/add/", views.add, name="add"),
    path("<str:funnel_id>/review/", views.review, name="review"),
    path("<str:funnel_id>/send/", views.send, name="send"),
    path("<str:funnel_id>/progress/", views.progress, name="progress"),
    path("<str:funnel_id>/arrived/", views.arrived, name="arrived"),
    path("<str:funnel_id>/again/", views.again, name="again"),
]
