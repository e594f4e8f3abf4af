"""Addresses of sign-in and of the connected accounts."""

from django.urls import path

from dashboard.accounts import views

app_name = "accounts"
urlpatterns = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/demo/", views.demo, name="demo"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("accounts/", views.accounts, name="accounts"),
    path("accounts/<uuid:account_id>/", views.account, name="account"),
    path("accounts/<uuid:account_id>/use/", views.use, name="use"),
    path("accounts/<uuid:account_id>/disconnect/", views.disconnect, name="disconnect"),
    path("accounts/devices/", views.devices, name="devices"),
    path("accounts/devices/<uuid:device_id>/sign-out/", views.sign_out_device, name="sign_out_device"),
    path("accounts/devices/elsewhere/sign-out/", views.sign_out_devices, {"here": False}, name="sign_out_elsewhere"),
    path("accounts/devices/everywhere/sign-out/", views.sign_out_devices, {"here": True}, name="sign_out_everywhere"),
    path("accounts/kept/discard/", views.discard_kept, name="discard_kept"),
]
