"""Addresses of the review portal, the public face at `/<link_id>`."""

from django.urls import path

from review_portal import (
    comment_views,
    cut_views,
    decision_views,
    device_views,
    drawing_views,
    email_views,
    export_views,
    people_views,
    transcript_views,
    views,
)

app_name = "review_portal"

urlpatterns = [
    path("<uuid:link_id>", views.room, name="room"),
    path("<uuid:link_id>/comments", comment_views.comments, name="comments"),
    path("<uuid:link_id>/comments/<uuid:comment_id>", comment_views.comment, name="comment"),
    path("<uuid:link_id>/comments/<uuid:comment_id>/replies", views.replies, name="replies"),
    path("<uuid:link_id>/submissions/<uuid:key>", comment_views.submission, name="submission"),
    path("<uuid:link_id>/d/<slug:short>", drawing_views.still, name="still"),
    path("<uuid:link_id>/drawing-tools", drawing_views.tools, name="tools"),
    path("<uuid:link_id>/finish", views.finish, name="finish"),
    path("<uuid:link_id>/decision", decision_views.decision, name="decision"),
    path("<uuid:link_id>/from-cut", cut_views.from_cut, name="from_cut"),
    path("<uuid:link_id>/compare", cut_views.compare, name="compare"),
    path("<uuid:link_id>/email", email_views.email, name="email"),
    path("<uuid:link_id>/device", device_views.device, name="device"),
    path("<uuid:link_id>/export.<slug:extension>", export_views.export, name="export"),
    path("<uuid:link_id>/print", export_views.print_list, name="print"),
    path("<uuid:link_id>/people", people_views.people, name="people"),
    path("<uuid:link_id>/watched", people_views.watched, name="watched"),
    path("<uuid:link_id>/transcript", transcript_views.transcript, name="transcript"),
    path("<uuid:link_id>/captions/<str:lang>.vtt", views.subtitles, name="captions"),
]
