"""The cards of a board as HTML, on the board and in its list.

A board has hundreds of cards with some fifty values each. The template engine takes longer for them than the platform for its
answer, so that they are filled into patterns here; `format_html` escapes every value.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from dashboard.funnels.rules import Card
from dashboard.shared import formats
from dashboard.shared.addresses import video_address

CARD = (
    '<a class="card{looks}" href="#x-{id}" draggable="false" data-card="{id}" data-x="{left}px" data-y="{top}px"'
    ' data-was-x="{was_x}" data-was-y="{was_y}"{new} data-length="{length}">'
    '<span class="badge is-planned card__entry"{no_entry}>{entry}</span>{still}'
    '<span class="card__body"><span class="card__name">{title}</span><span class="card__meta">{meta}</span></span></a>'
)
STILL = '<img class="card__still" src="{}" alt="" width="192" height="72" loading="lazy" decoding="async" draggable="false">'
GHOST = '<span class="card__ghost" data-ghost="{}" data-x="{}px" data-y="{}px"></span>'
ROW = (
    '<tr data-row="{id}"><th scope="row">{name}{length}</th>'
    '<td data-label="{entry}"><label class="choice"><input type="radio" name="entry" form="save" value="{id}"{checked}>'
    '<span>{entry}<span class="visually-hidden">: {title}</span></span></label></td>'
    '{across}{down}<td data-label="{state_label}"><span>{state}{out}</span></td></tr>'
)
COORDINATE = (
    '<td data-label="{label}"><span>{problem}<input class="input input--coord" id="{axis}-{id}" name="{axis}-{id}"'
    ' form="save" inputmode="decimal" autocomplete="off" value="{value}" aria-label="{label}, {title}"{wrong}></span></td>'
)
PROBLEM = '<span class="field__error" id="wrong-{}-{}">{}</span>'
WRONG = ' aria-invalid="true" aria-describedby="wrong-{}-{}"'
OUT = (
    ' <button class="action" type="submit" form="save" name="act" value="remove:{}">{}'
    '<span class="visually-hidden">: {}</span></button>'
)
NOTHING = SafeString("")
HIDDEN, CHECKED, ADDED = SafeString(" hidden"), SafeString(" checked"), SafeString(" data-added")


@dataclass(frozen=True)
class CardView:
    """One card. `left` and `top` are where it stands on the drawn plane; `typed` and `wrong` are by axis."""

    card: Card
    left: str
    top: str
    was: tuple[str, str]
    ghost: tuple[str, str]
    length: str
    meta: str
    typed: Mapping[str, str]
    wrong: Mapping[str, str]

    @property
    def title(self) -> str:
        """What it is called."""
        return self.card.title or self.card.id


def build_card_view(
    card: Card,
    origin: tuple[int, int],
    errors: Mapping[str, str],
    typed_values: Mapping[str, str],
    board_texts: Mapping[str, str],
) -> CardView:
    """A card over the plane's `origin`; `errors` and `typed_values` are those of a form that was wrong, by field."""
    x, y = format_coordinate(card.x), format_coordinate(card.y)
    was = card.was or (card.x, card.y)
    length = formats.clock(card.length) if card.length else ""
    change = board_texts["added"] if card.added else board_texts["moved"] if card.moved else ""
    return CardView(
        card=card,
        left=format_coordinate(card.x - origin[0]),
        top=format_coordinate(card.y - origin[1]),
        was=(format_coordinate(was[0]), format_coordinate(was[1])),
        ghost=(format_coordinate(was[0] - origin[0]), format_coordinate(was[1] - origin[1])),
        length=length,
        meta=", ".join(part for part in (length, board_texts["at"].format(x=x, y=y), change) if part),
        typed={"x": typed_values.get(f"x-{card.id}", x), "y": typed_values.get(f"y-{card.id}", y)},
        wrong={axis: errors[f"{axis}-{card.id}"] for axis in "xy" if f"{axis}-{card.id}" in errors},
    )


def render_board(cards: Iterable[CardView]) -> SafeString:
    """Ghosts at the old places first, so that no card is ever below one."""
    views = list(cards)
    entry = render_to_string("funnels/_entry.html")
    ghosts = [format_html(GHOST, view.card.id, *view.ghost) for view in views if view.card.moved]
    return _join([*ghosts, *(_render_card(view, entry) for view in views)])


def _render_card(view: CardView, entry: SafeString) -> SafeString:
    card = view.card
    looks = (" card--entry" if card.entry else "") + (" card--moved" if card.moved or card.added else "")
    pictured = card.thumbnail.startswith(("http://", "https://", "/"))
    return format_html(
        CARD,
        looks=looks,
        id=card.id,
        left=view.left,
        top=view.top,
        was_x=view.was[0],
        was_y=view.was[1],
        new=ADDED if card.added else NOTHING,
        length=view.length,
        no_entry=NOTHING if card.entry else HIDDEN,
        entry=entry,
        still=format_html(STILL, card.thumbnail) if pictured else SafeString('<span class="card__still"></span>'),
        title=view.title,
        meta=view.meta,
    )


def render_rows(cards: Iterable[CardView]) -> SafeString:
    """Everything the board can do, row by row."""
    texts = {"entry": _("Entry"), "x": _("Across"), "y": _("Down"), "state": _("State"), "out": _("Take out")}
    labels = {name: conditional_escape(text) for name, text in texts.items()}
    return _join([_render_row(view, labels) for view in cards])


def _render_row(view: CardView, labels: Mapping[str, str]) -> SafeString:
    card, address, title = view.card, video_address(view.card.id), conditional_escape(view.title)
    return format_html(
        ROW,
        id=card.id,
        name=format_html('<a href="{}">{}</a>', address, title) if address else title,
        length=format_html(' <span class="muted">{}</span>', view.length) if view.length else NOTHING,
        entry=labels["entry"],
        checked=CHECKED if card.entry else NOTHING,
        title=title,
        across=_render_coordinate(view, "x", labels["x"], title),
        down=_render_coordinate(view, "y", labels["y"], title),
        state_label=labels["state"],
        state=format_state(card),
        out=format_html(OUT, card.id, labels["out"], title) if card.added else NOTHING,
    )


def _render_coordinate(view: CardView, axis: str, label: str, title: SafeString) -> SafeString:
    is_wrong, ids = axis in view.wrong, (axis, view.card.id)
    return format_html(
        COORDINATE,
        label=label,
        axis=axis,
        id=view.card.id,
        problem=format_html(PROBLEM, *ids, view.wrong[axis]) if is_wrong else NOTHING,
        value=view.typed[axis],
        title=title,
        wrong=format_html(WRONG, *ids) if is_wrong else NOTHING,
    )


def _join(parts: Iterable[SafeString]) -> SafeString:
    return mark_safe("".join(parts))  # noqa: S308  (each part is escaped)


def format_state(card: Card) -> str:
    """How the card stands to the platform's."""
    if card.added:
        return _("New here")
    if card.moved and card.was is None:
        return _("Placed for the first time") if card.is_told else _("Placed here")
    if card.moved:
        return (
            _("Moved from %(x)s, %(y)s") % {"x": format_coordinate(card.was[0]), "y": format_coordinate(card.was[1])}
            if card.was
            else ""
        )
    if card.is_told:
        return _("As on the platform")
    return _("As last sent from here") if card.is_sent else _("Position unknown")


def format_coordinate(value: float) -> str:
    """A coordinate as a field takes it: no grouping, no needless decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
