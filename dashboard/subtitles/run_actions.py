"""Subtitles for many videos: the action that becomes a run.

A run sends its videos through the batches of this feature, so that their jobs are followed and shown like all others.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.accounts.models import Account
from dashboard.platform_api import Operations
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, LANGUAGES, JobType, Tier
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.subtitles import messages, rules
from dashboard.subtitles.forms import SENTENCES, PlanForm
from dashboard.subtitles.jobs import format_note
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.rules import DOUBTFUL, ENDED, MOST_VIDEOS, Order, RejectionReason, Status, VideoState
from dashboard.subtitles.writes import build_intent
from dashboard.upstream.languages import all_languages
from dashboard.upstream.reads import Reads
from dashboard.writes.outbox import Intent
from dashboard.writes.run_actions import ItemState, RunAction, RunOrder, Target, register

NEAR: Final = ("en", "es", "pt-BR", "fr", "it", "de")
"""Languages that are offered before the others."""
FAILED: Final = frozenset({Status.REFUSED, Status.MISSING, Status.ERROR, Status.SKIPPED})
WAITING: Final = frozenset({Status.PLANNED, Status.SENDING, Status.WAITING})


class SubtitlesRunForm(forms.Form):
    """What to make for every video of the run."""

    type = forms.ChoiceField(label=gettext_lazy("What to make"))
    tier = forms.ChoiceField(label=gettext_lazy("Tier"))
    from_lang = forms.ChoiceField(label=gettext_lazy("Source language"), required=False)
    to_lang = forms.MultipleChoiceField(label=gettext_lazy("Target languages"), required=False)

    def __init__(self, data: QueryDict | None = None, *, source: str = "") -> None:
        super().__init__(data, initial={"type": JobType.TRANSLATION.value, "tier": Tier.PRO.value, "from_lang": source})
        kinds = {JobType.TRANSLATION: _("Translate subtitles"), JobType.TRANSCRIPTION: _("Transcribe the audio")}
        named = sorted(((lang, messages.language_with_code(lang)) for lang in LANGUAGES), key=lambda choice: choice[1])
        self._offer("type", [(kind.value, word) for kind, word in kinds.items()])
        self._offer("tier", [(str(tier), str(word)) for tier, word in messages.TIERS.items()])
        self._offer(
            "from_lang", [("", _("Choose a language")), (AUTO_LANGUAGE, messages.language(AUTO_LANGUAGE)), *named]
        )
        self._offer("to_lang", named)
        self._named = named
        self._has_single_cells = (
            data is not None and PlanForm(data, person_sent=True).plan_request.choice.has_single_cells
        )
        self.impossible = ""
        """Languages that the search asks for, and the platform makes no subtitles in, by name."""

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        """The rules of an order, each at its field, and a sentence where the planner sends cells that a run would ignore."""
        cleaned = super().clean() or {}
        if self._has_single_cells:
            self.add_error(None, _(
                "Nothing was sent. You ticked or unticked single cells, and a run creates the chosen languages for all its "
                "videos. Go back to change the plan, or check the videos without those changes."))  # fmt: skip
        for problem in rules.problems(self.order, videos=1):
            if problem.field not in self.errors:
                self.add_error(problem.field, SENTENCES[problem.reason])
        return cleaned

    @property
    def order(self) -> Order:
        """What is asked for."""
        cleaned = self.cleaned_data
        words = {name: cleaned.get(name, "") for name in ("type", "tier", "from_lang")}
        return Order(**words, to=tuple(cleaned.get("to_lang", ())))

    @property
    def near(self) -> list[tuple[str, str, bool]]:
        """The target languages that are offered first, and those that are selected: code, name, whether it is selected."""
        selected = self["to_lang"].value() or []
        return [(lang, messages.language(lang), lang in selected) for lang in dict.fromkeys((*NEAR, *selected))]

    @property
    def more(self) -> list[tuple[str, str]]:
        """The other target languages."""
        near = {lang for lang, _name, _chosen in self.near}
        return [choice for choice in self._named if choice[0] not in near]


class CreateSubtitles(RunAction):
    """Subtitles for many videos in the same languages."""

    name = "subtitles"
    label = gettext_lazy("Create subtitles")
    options_template = "subtitles/_run_options.html"
    uses_credits = True

    def build_form(self, account: Account, data: QueryDict | None = None) -> SubtitlesRunForm:
        """The form, with the language that most videos have as its source, of those that can be one."""
        counts = Counter(rules.spelled(lang) for codes in all_languages(Reads(account)).values() for lang in codes)
        source = next((lang for lang, _count in counts.most_common() if lang in LANGUAGES), "")
        return SubtitlesRunForm(data, source=source)

    def suggest(self, form: SubtitlesRunForm, missing: Sequence[str]) -> None:
        """The languages that the search asks to be missing are the targets."""
        languages = [rules.spelled(lang) for lang in missing]
        form.initial["to_lang"] = [
            lang for lang in languages if lang in LANGUAGES and lang != form.initial["from_lang"]
        ]
        form.impossible = formats.named([messages.language(lang) for lang in languages if lang not in LANGUAGES], 3)

    def read_options(self, form: SubtitlesRunForm) -> dict[str, Any]:
        """The order as JSON."""
        order = form.order
        return {"type": order.type, "tier": order.tier, "from_lang": order.from_lang, "to": list(order.to)}

    def format_title(self, options: Mapping[str, Any]) -> str:
        """Create subtitles in French and Italian."""
        languages = rules.languages_in_order(_order_of(options))
        named = formats.named([messages.language(lang) for lang in languages], 3)
        return _("Create subtitles: %(languages)s") % {"languages": named}

    def find_reasons(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, str]:
        """Videos that have every language already, or nothing to translate from, as far as is known."""
        known = all_languages(Reads(order.account))
        asked = _order_of(order.options)
        reasons = {}
        for target in targets:
            if target.video_id in known:
                state = VideoState(known[target.video_id], ())
                rejected = [rules.rejection_reason(asked, state, lang) for lang in rules.languages_in_order(asked)]
                if rejected and all(rejected):
                    reasons[target.video_id] = str(rejected[0])
        return reasons

    def explain(self, reason: str) -> str:
        """The sentence that the planner says in a cell."""
        return messages.reason(reason)

    def list_next_steps(self, order: RunOrder, reasons: Sequence[tuple[Target, str]]) -> dict[str, tuple[str, str]]:
        """A transcription, where the source is missing."""
        unsent = [target for target, reason in reasons if not reason]
        dropped = {
            video_id
            for video_id, cells in _list_cells(unsent, {Status.DROPPED}).items()
            if any(cell.reason == RejectionReason.SOURCE_MISSING for cell in cells)
        }
        query = {"type": JobType.TRANSCRIPTION.value, "from_lang": order.options["from_lang"]}
        return {
            target.video_id: (_("Transcribe first"), address("subtitles:subtitles", **query, video=target.video_id))
            for target, reason in reasons
            if reason == RejectionReason.SOURCE_MISSING or target.video_id in dropped
        }

    def prepare(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, dict[str, Any]]:
        """One batch for as many videos as one page shows."""
        data: dict[str, dict[str, Any]] = {}
        for start in range(0, len(targets), MOST_VIDEOS):
            part = targets[start : start + MOST_VIDEOS]
            batch = _create_batch(order, part)
            data |= {target.video_id: {"batch": str(batch.pk)} for target in part}
        return data

    def build_intent(self, order: RunOrder, target: Target, attempt: int) -> Intent:
        """The jobs of one video in one call. The key is the batch's, so that its own page sends nothing twice."""
        batch = Batch.objects.get(pk=target.data["batch"])
        cells = list(batch.cells.filter(video_id=target.video_id))
        return build_intent(order.account, order.actor, batch, cells)

    def preview(self, order: RunOrder, target: Target) -> Callable[[Operations], object]:
        """The call that makes the languages that the video is not known to have."""
        asked, known = _order_of(order.options), all_languages(Reads(order.account))
        languages = _missing(asked, known.get(target.video_id, frozenset()))
        body: Any = rules.body(asked, target.video_id, languages)
        return lambda platform: platform.ai_workflow.create(body)

    def read_states(self, targets: Iterable[Target]) -> dict[str, ItemState]:
        """A video is finished when all its jobs have ended well."""
        batches = {target.video_id: target.data["batch"] for target in targets if "batch" in target.data}
        statuses: dict[str, list[str]] = {}
        cells = PlannedCell.objects.filter(batch_id__in=set(batches.values()))
        for batch_id, video_id, status in cells.values_list("batch_id", "video_id", "status"):
            if batches.get(video_id) == str(batch_id):
                statuses.setdefault(video_id, []).append(status)
        return {video_id: _state_of(cell_statuses) for video_id, cell_statuses in statuses.items()}

    def explain_ends(self, targets: Sequence[Target]) -> dict[str, str]:
        """The reasons of the cells that did not come to an end."""
        sentences = {
            video_id: " ".join(dict.fromkeys(map(format_note, cells)))
            for video_id, cells in _list_cells(targets, FAILED | {Status.DROPPED, Status.HELD}).items()
        }
        return super().explain_ends(targets) | sentences


def _list_cells(targets: Iterable[Target], statuses: Iterable[str]) -> dict[str, list[PlannedCell]]:
    """The cells in these states of videos that were sent, by video, in one query; none of one that never was."""
    batches = {target.video_id: str(target.data["batch"]) for target in targets if target.data.get("batch")}
    cells: dict[str, list[PlannedCell]] = {}
    for cell in PlannedCell.objects.filter(batch_id__in=set(batches.values()), status__in=statuses):
        if batches.get(cell.video_id) == str(cell.batch_id):
            cells.setdefault(cell.video_id, []).append(cell)
    return cells


def _order_of(options: Mapping[str, Any]) -> Order:
    return Order(options["type"], options["tier"], options["from_lang"], tuple(options["to"]))


def _create_batch(order: RunOrder, targets: Sequence[Target]) -> Batch:
    """The planned cells of these videos; languages that they are known to have are left out."""
    asked, known = _order_of(order.options), all_languages(Reads(order.account))
    batch = Batch(
        account=order.account,
        actor=order.actor[:120],
        label=order.title,
        type=asked.type,
        tier=asked.tier,
        from_lang=asked.from_lang,
        sent_at=timezone.now(),
    )
    batch.save_with_cells(
        (target.video_id, target.title, lang)
        for target in targets
        for lang in _missing(asked, known.get(target.video_id, frozenset()))
    )
    return batch


def _missing(asked: Order, languages: Iterable[str]) -> tuple[str, ...]:
    """The languages that a video lacks; all where it lacks none any more, and the platform's state decides at sending."""
    languages_of_order = rules.languages_in_order(asked)
    missing = tuple(lang for lang in languages_of_order if lang.lower() not in languages)
    return languages_of_order if asked.transcribes or not missing else missing


def _state_of(statuses: Iterable[str]) -> ItemState:
    """The state of a video from those of its jobs: what is under way first, then what failed."""
    listed = set(statuses)
    if listed & WAITING or any(rules.is_open(status) for status in listed - DOUBTFUL):
        return ItemState.WAITING
    if listed & DOUBTFUL:
        return ItemState.UNCONFIRMED
    if listed & FAILED:
        return ItemState.REFUSED
    return ItemState.DONE if listed & ENDED else ItemState.NOT_SENT


register(CreateSubtitles())
