"""Addresses of notices, e-mails and webhooks."""

from django.urls import path

from dashboard.notices import views

app_name = "notices"
urlpatterns = [
    path("", views.notices, name="notices"),
    path("list/", views.latest, name="latest"),
    path("count/", views.count, name="count"),
    path("seen/", views.seen, name="seen"),
    path("settings/", views.settings, name="settings"),
    path("addresses/<uuid:subscription_id>/", views.address, name="address"),
    path("links/<uuid:link_id>/", views.link, name="link"),
    path("webhook/", views.webhook, name="webhook"),
    path("confirm/<signed:token>/", views.confirm, name="confirm"),
    path("stop/<signed:token>/", views.stop, name="stop"),
    path("mailbox/", views.mailbox, name="mailbox"),
    path("mailbox/<uuid:mail_id>/", views.mail, name="mail"),
    path("mailbox/<uuid:mail_id>/html/", views.mail_html, name="mail_html"),
    path("mailbox/<uuid:mail_id>/send/", views.send, name="send"),
]
