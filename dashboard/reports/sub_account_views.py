"""The weekly reports of sub-accounts, by e-mail to an address of their parent."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import Asked
from dashboard.reports import weekly, weekly_pages
from dashboard.reports.forms import ChildrenForm
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest


@require_http_methods(["GET", "POST"])
def sub_accounts(request: OwnerRequest) -> HttpResponse:
    """Who gets which report; POST sends those of the chosen sub-accounts every Monday. The same form twice is one."""
    children = _list_children(request)
    if request.account.parent is not None and not children and not weekly.list_reports_of_children(request.account):
        return redirect("reports:report")
    if request.method == "GET":
        which = request.GET.get("account", "")
        return _render(request, ChildrenForm(children=children, initial={"which": which}), children)
    if not subscriptions.is_offered():
        raise Http404
    form = ChildrenForm(request.POST, children=children)
    if not form.is_valid():
        return _render(request, form, children, status=422)
    mail_address = form.cleaned_data["address"]
    asked = weekly.ask_for_children(request, request.account, form.get_chosen(), mail_address)
    if asked == Asked.TOO_OFTEN:
        form.add_error("address", weekly_pages.describe_too_often())
        return _render(request, form, children, status=429)
    messages.success(request, weekly_pages.describe_asked(request.account, mail_address))
    return redirect("reports:sub_accounts")


def _list_children(request: OwnerRequest) -> list[Account]:
    """The sub-accounts that are connected in this browser: nobody is sent what they could not open."""
    return [account for account in access.connected(request) if account.parent_id == request.account.pk]


def _render(request: OwnerRequest, form: ChildrenForm, children: list[Account], status: int = 200) -> HttpResponse:
    context = {
        "weekly": weekly_pages.build_children_part(weekly.list_reports_of_children(request.account)),
        "form": form if children else None,
        "portfolio": address("sub_accounts:sub_accounts"),
    }
    return render(request, "reports/sub_accounts.html", context, status=status)
