"""An imported link that the platform has not confirmed: what is known of it, checking it, removing it."""

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.platform_api import errors
from dashboard.review_links import creation_pages, import_pages
from dashboard.review_links.forms import KnownForm, build_known_form
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest
from review_portal import imports, ownership
from review_portal.models import Claim


@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: OwnerRequest, claim_id: int) -> HttpResponse:
    """The page of the import. `do=check`: the platform is asked whose the link is; `do=say`: what the owner knows of it is
    kept; `do=remove`: it is forgotten."""
    try:
        claim = ownership.get_claim(request.account, claim_id)
    except ObjectDoesNotExist as error:
        raise Http404 from error
    do = request.POST.get("do", "")
    if do == "remove":
        claim.delete()
        messages.success(request, _("The import was removed. The link itself was not changed."))
        return redirect("review_links:review_links")
    form = KnownForm(request.POST) if do == "say" else build_known_form(claim)
    if form.is_bound and form.is_valid():
        ownership.update_claim(claim, form.to_claim())
        messages.success(request, _("Saved. It is marked as provided by you."))
        return redirect("review_links:claim", claim.pk)
    trouble = _check_claim(request, claim) if do == "check" else ""
    if do == "check" and not trouble:
        messages.success(request, _("The platform confirmed that the link is yours."))
        return redirect("review_links:link", claim.link_id)
    context = {"page": import_pages.build_claim_page(claim), "form": form, "trouble": trouble}
    return render(request, "review_links/claim.html", context, status=422 if trouble or form.errors else 200)


def _check_claim(request: OwnerRequest, claim: Claim) -> str:
    """Ask the platform once more. Returns why the link is still not confirmed, or nothing when it is."""
    try:
        imported = imports.import_link(request.account, claim.link_id, claim.video_id)
    except imports.ImportRefused as refused:
        return creation_pages.describe_import_problem(refused.reason)
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        return explained.whole
    return import_pages.build_claim_page(claim).reason if isinstance(imported, Claim) else ""
