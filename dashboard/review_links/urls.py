"""Addresses of the desk for review links."""

from django.urls import path

from dashboard.review_links import creation, inbox_views, views
from dashboard.review_links import inbox_views as inbox_answers

app_name = "review_links"
urlpatterns = [
    path("", views.review_links, name="review_links"),
    path("create/", creation.create, name="create"),
    path("attempts/<uuid:key>/", creation.attempt, name="attempt"),
    path("import/", creation.import_link, name="import"),
    path("claims/<int:claim_id>/", creation.claim, name="claim"),
    path("videos/<uuid:video_id>/", views.video, name="video"),
    path("videos/<uuid:video_id>/export.<str:extension>", views.video_export, name="video_export"),
    path("videos/<uuid:video_id>/print/", views.video_print, name="video_print"),
    path("videos/<uuid:video_id>/comments/<uuid:comment_id>/", views.video_comment, name="video_comment"),
    path("inbox/", inbox_views.inbox, name="inbox"),
    path("inbox/act/", inbox_views.act, name="inbox_act"),
    path("inbox/read/", inbox_views.read_all, name="inbox_read_all"),
    path("inbox/news/", inbox_views.news, name="inbox_news"),
    path("inbox/answers/", inbox_answers.saved_answers, name="saved_answers"),
    path("inbox/<uuid:item_id>/", inbox_views.item, name="inbox_item"),
    path("inbox/<uuid:item_id>/answer/", inbox_views.answer, name="inbox_answer"),
    path("<uuid:link_id>/", views.link, name="link"),
    path("<uuid:link_id>/news/", views.news, name="news"),
    path("<uuid:link_id>/qr.<str:kind>", views.qr, name="qr"),
    path("<uuid:link_id>/export.<str:extension>", views.export, name="export"),
    path("<uuid:link_id>/cuts/", views.edit_cuts, name="cuts"),
    path("<uuid:link_id>/preview/", views.set_preview, name="preview"),
    path("<uuid:link_id>/drawings/", views.set_drawings, name="drawings"),
    path("<uuid:link_id>/decisions/", views.set_decisions, name="decisions"),
    path("<uuid:link_id>/print/", views.print_link, name="print"),
    path("<uuid:link_id>/writes/<uuid:key>/", views.settle, name="settle"),
    path("<uuid:link_id>/answers/", views.answer, name="answer"),
    path("<uuid:link_id>/comments/<uuid:comment_id>/", views.comment, name="comment"),
]
