"""Saved replies: words that an account replies with again and again."""

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
    """A saved answer: what can be posted as a reply."""

    text = forms.CharField(
        label=gettext_lazy("Saved reply"),
        required=False,
        widget=forms.Textarea(attrs={"rows": "3", "dir": "auto", "maxlength": str(COMMENT_TEXT_MAX)}),
    )

    def __init__(self, account: Account, *args: object, answer: SavedAnswer | None = None) -> None:
        super().__init__(*args)  # type: ignore[arg-type]  # the form's own data
        self.account, self.answer = account, answer

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
    """Every saved answer with its form, and one for a new one."""
    form = SavedAnswerForm(request.account, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Reply saved."))
        return _redirect(request)
    return _render(request, form, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def saved_answer(request: OwnerRequest, answer_id: int) -> HttpResponse:
    """Change or delete one saved answer; opened by hand it leads to all of them."""
    answer = _get_answer_or_404(request, answer_id)
    if request.method == "GET":
        return redirect("review_links:saved_answers")
    if request.POST.get("do") == "delete":
        answer.delete()
        request.session[DELETED] = answer.text
        return _redirect(request)
    form = SavedAnswerForm(request.account, request.POST, answer=answer)
    if not form.is_valid():
        return _render(request, SavedAnswerForm(request.account), form, status=422)
    form.save()
    messages.success(request, _("Reply saved."))
    return _redirect(request)


def _redirect(request: OwnerRequest) -> HttpResponse:
    query = f"?{urlencode({'next': back})}" if (back := way_back(request, "")) else ""
    return redirect(reverse("review_links:saved_answers") + query)


def _render(
    request: OwnerRequest, new: SavedAnswerForm, changed: SavedAnswerForm | None = None, status: int = 200
) -> HttpResponse:
    answers = [
        (answer, changed if changed and changed.answer == answer else None)
        for answer in SavedAnswer.objects.filter(account=request.account)
    ]
    context = {
        "new": new,
        "answers": answers,
        "deleted": request.session.pop(DELETED, ""),
        "back": way_back(request, reverse("review_links:inbox")),
        "most": COMMENT_TEXT_MAX,
    }
    return render(request, "review_links/saved_answers.html", context, status=status)


def _get_answer_or_404(request: OwnerRequest, answer_id: int) -> SavedAnswer:
    answer = SavedAnswer.objects.filter(account=request.account, pk=answer_id).first()
    if answer is None:
        raise Http404
    return answer
