"""Addresses of the review portal, the public face at `/<link_id>`."""

from django.urls import path

from review_portal import comment_views, cut_views, views

app_name = "review_portal"

urlpatterns = [
    path("<uuid:link_id>", comment_views.room, name="room"),
    path("<uuid:link_id>/comments", comment_views.comments, name="comments"),
    path("<uuid:link_id>/comments/<uuid:comment_id>", comment_views.comment, name="comment"),
    path("<uuid:link_id>/comments/<uuid:comment_id>/replies", comment_views.replies, name="replies"),
    path("<uuid:link_id>/submissions/<uuid:key>", comment_views.submission, name="submission"),
    path("<uuid:link_id>/d/<slug:short>", views.still, name="still"),
    path("<uuid:link_id>/drawing-tools", views.tools, name="tools"),
    path("<uuid:link_id>/finish", comment_views.finish, name="finish"),
    path("<uuid:link_id>/decision", views.decision, name="decision"),
    path("<uuid:link_id>/from-cut", cut_views.from_cut, name="from_cut"),
    path("<uuid:link_id>/compare", cut_views.compare, name="compare"),
    path("<uuid:link_id>/email", views.email, name="email"),
    path("<uuid:link_id>/device", views.device, name="device"),
    path("<uuid:link_id>/export.<slug:extension>", views.export, name="export"),
    path("<uuid:link_id>/print", views.print_list, name="print"),
    path("<uuid:link_id>/people", views.people, name="people"),
    path("<uuid:link_id>/watched", views.watched, name="watched"),
    path("<uuid:link_id>/transcript", views.transcript, name="transcript"),
    path("<uuid:link_id>/captions/<str:lang>.vtt", comment_views.subtitles, name="captions"),
]
