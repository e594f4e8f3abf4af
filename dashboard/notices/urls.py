"""Addresses of notices, e-mails and webhooks."""

from django.urls import path

from dashboard.notices import mailbox_views, notice_views, public_views, views, webhook_views

app_name = "notices"
urlpatterns = [
    path("", notice_views.notices, name="notices"),
    path("list/", notice_views.latest, name="latest"),
    path("count/", notice_views.count, name="count"),
    path("seen/", notice_views.seen, name="seen"),
    path("settings/", views.settings, name="settings"),
    path("addresses/<uuid:subscription_id>/", views.address, name="address"),
    path("links/<uuid:link_id>/", views.link, name="link"),
    path("webhook/", webhook_views.webhook, name="webhook"),
    path("confirm/<signed:token>/", public_views.confirm, name="confirm"),
    path("stop/<signed:token>/", public_views.stop, name="stop"),
    path("mailbox/", mailbox_views.mailbox, name="mailbox"),
    path("mailbox/<uuid:mail_id>/", mailbox_views.mail, name="mail"),
    path("mailbox/<uuid:mail_id>/html/", mailbox_views.mail_html, name="mail_html"),
    path("mailbox/<uuid:mail_id>/send/", mailbox_views.send, name="send"),
]
