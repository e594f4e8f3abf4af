"""What the links in e-mails open: confirm an address, and stop. A visit changes nothing: mail scanners open every link."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from dashboard.accounts.access import public
from dashboard.notices import public_pages, subscriptions, tokens
from dashboard.notices.rules import Every


@public
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a press; with it, the address is confirmed."""
    subscription = tokens.find_confirmed(token)
    if subscription is None or tokens.is_expired(subscription):
        page = public_pages.build_expired_page(subscription)
        return render(request, "notices/public.html", {"page": page}, status=410)
    is_first = subscription.confirmed_at is None
    if request.method == "POST":
        subscriptions.confirm(subscription)
    elif is_first:
        return render(request, "notices/public.html", {"page": public_pages.build_confirm_page(subscription)})
    return render(request, "notices/public.html", {"page": public_pages.build_confirmed_page(subscription)})


@csrf_exempt
@public
@require_http_methods(["GET", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a press; with it, or when a mail program posts for its reader (RFC 8058), nothing is sent any more.

    It needs no cookie, so a forged form would have to know the token. Without anything to stop, it says so all the same.
    """
    subscription = tokens.find_stopped(token)
    if subscription is None or subscription.stopped_at is not None:
        return render(request, "notices/public.html", {"page": public_pages.build_stopped_page(subscription)})
    if request.method == "GET":
        return render(request, "notices/public.html", {"page": public_pages.build_stop_page(subscription)})
    if request.POST.get("every") == Every.DAY:
        subscriptions.change_rhythm(subscription, Every.DAY)
        return render(request, "notices/public.html", {"page": public_pages.build_daily_page(subscription)})
    page = public_pages.build_stopped_page(subscription)
    subscriptions.stop(subscription)
    return render(request, "notices/public.html", {"page": page})
