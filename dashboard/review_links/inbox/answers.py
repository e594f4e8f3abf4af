"""Saved replies: words that an account replies with again and again."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import COMMENT_TEXT_MAX
from dashboard.review_links.models import SavedAnswer
from dashboard.shared.http import ROW_MOST, OwnerRequest, way_back, whole_number
from review_portal.messages import describe_problem
from review_portal.rules import check_text, normalize

SAVED_MOST = 50
"""Answers that an account can save: more than a menu can show helps nobody."""


class SavedAnswerForm(forms.Form):
    """A saved answer: what can be posted as a reply. One that was not changed since its page was opened is left as it is."""

    text = forms.CharField(
        label=gettext_lazy("Saved reply"),
        required=False,
        show_hidden_initial=True,
        widget=forms.Textarea(attrs={"rows": "3", "dir": "auto", "maxlength": str(COMMENT_TEXT_MAX)}),
    )

    def __init__(
        self, account: Account, data: Mapping[str, str] | None = None, answer: SavedAnswer | None = None
    ) -> None:
        initial = {"text": answer.text} if answer else None
        super().__init__(data, prefix=str(answer.pk) if answer else None, initial=initial)
        self.account, self.answer = account, answer

    @property
    def is_changed(self) -> bool:
        """Whether somebody typed here: a form that its page did not have is not changed."""
        return self.add_prefix("text") in self.data and self.has_changed()

    def clean_text(self) -> str:
        text = normalize(self.cleaned_data["text"])
        problems = check_text(text)
        if problems:
            raise forms.ValidationError([describe_problem(problem) for problem in problems])
        others = SavedAnswer.objects.filter(account=self.account)
        others = others.exclude(pk=self.answer.pk) if self.answer else others
        if others.filter(text=text).exists():
            raise forms.ValidationError(_("This reply is saved already."))
        if self.answer is None and others.count() >= SAVED_MOST:
            raise forms.ValidationError(_("Delete a saved reply first: there can be %(most)s.") % {"most": SAVED_MOST})
        return text

    def save(self) -> SavedAnswer:
        """Keep it, once though it is pressed twice at the same moment; what was changed stays in its place."""
        text = self.cleaned_data["text"]
        if self.answer is None:
            return SavedAnswer.objects.get_or_create(account=self.account, text=text)[0]
        self.answer.text = text
        self.answer.save()
        return self.answer


DELETED = "deleted_answer"
"""In the session: the words of the answer that was deleted last, which its page offers to put back."""


def change_text(request: OwnerRequest) -> tuple[str, str]:
    """The words of a reply's form after "insert" or "save" was pressed, and what to say of it."""
    typed = request.POST.get("text", "")
    if "insert" in request.POST:
        answer = _get_answer_or_404(request, whole_number(request.POST["insert"], ROW_MOST) or 0)
        return f"{typed.rstrip()} {answer.text}".strip(), ""
    form = SavedAnswerForm(request.account, {"text": typed})
    if not form.is_valid():
        return typed, " ".join(map(str, form.errors["text"]))
    form.save()
    return typed, _("Saved. You find it under “Saved replies”.")


@require_http_methods(["GET", "POST"])
def saved_answers(request: OwnerRequest) -> HttpResponse:
    """Every saved answer and a new one, in one form: whichever button is pressed, what was typed anywhere is kept.

    "delete" names one that goes, "restore" has the words of one that comes back.
    """
    if request.method == "GET":
        return _render(request, _build_forms(request.account))
    forms = _build_forms(request.account, request.POST)
    leaving = whole_number(request.POST.get("delete", ""), ROW_MOST)
    changed = [form for form in forms if form.is_changed and (form.answer is None or form.answer.pk != leaving)]
    if not changed and not {"delete", "restore"} & set(request.POST):
        changed = forms[:1]  # nothing was typed: the new one says what is missing
    if not _are_valid(changed):
        return _render(request, forms, changed, status=422)
    for form in changed:
        form.save()
    if "restore" in request.POST:
        _restore(request)
    if leaving is not None:
        _delete(request, leaving)
    elif changed:
        messages.success(request, _("Replies saved.") if len(changed) > 1 else _("Reply saved."))
    back = way_back(request, "")
    return redirect(reverse("review_links:saved_answers") + (f"?{urlencode({'next': back})}" if back else ""))


def _build_forms(account: Account, data: Mapping[str, str] | None = None) -> list[SavedAnswerForm]:
    """The form of a new answer, and one for each that is saved."""
    saved = SavedAnswer.objects.filter(account=account)
    return [SavedAnswerForm(account, data), *(SavedAnswerForm(account, data, answer) for answer in saved)]


def _are_valid(changed: list[SavedAnswerForm]) -> bool:
    """Whether all can be saved together: no two of them with the same words."""
    seen: set[str] = set()
    for form in changed:
        if form.is_valid() and form.cleaned_data["text"] in seen:
            form.add_error("text", _("This reply is saved already."))
        seen.add(form.cleaned_data.get("text", ""))
    return not any(form.errors for form in changed)


def _restore(request: OwnerRequest) -> None:
    form = SavedAnswerForm(request.account, {"text": request.POST["restore"]})
    if form.is_valid():  # it may be back already, or there is no room any more
        form.save()


def _delete(request: OwnerRequest, answer_id: int) -> None:
    answer = SavedAnswer.objects.filter(account=request.account, pk=answer_id).first()
    if answer is not None:  # a second press finds it gone
        answer.delete()
        request.session[DELETED] = answer.text


def _render(
    request: OwnerRequest, forms: list[SavedAnswerForm], changed: list[SavedAnswerForm] | None = None, status: int = 200
) -> HttpResponse:
    wrong = changed or []
    rows = [(form, list(form.errors.get("text", [])) if form in wrong else []) for form in forms]
    context = {
        "new": rows[0],
        "answers": rows[1:],
        "deleted": request.POST.get("restore", "") or request.session.pop(DELETED, ""),
        "back": way_back(request, reverse("review_links:inbox")),
        "most": COMMENT_TEXT_MAX,
    }
    return render(request, "review_links/saved_answers.html", context, status=status)


def _get_answer_or_404(request: OwnerRequest, answer_id: int) -> SavedAnswer:
    answer = SavedAnswer.objects.filter(account=request.account, pk=answer_id).first()
    if answer is None:
        raise Http404
    return answer
