"""Words without an end, in everything that people can name or write: no page scrolls sideways, and nothing covers anything."""

from typing import Any

from django.apps import apps
from django.db.models import CharField, TextField

from tests.journeys.conftest import OpenBrowser

TEXTS = {"name", "title", "description", "text", "user_name", "label", "note", "value", "reason"}
KEPT = {("token", "value"), ("user", "name"), ("cue", "text")}
WIDE = """() => {
  const wide = [...document.querySelectorAll("main *, header *, .room *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && getComputedStyle(one).position !== "fixed"
      && !one.closest(".table-scroll, .board, [data-scrolls], svg, video, iframe, .visually-hidden");
  });
  const first = wide.filter((one) => !wide.includes(one.parentElement));
  return [document.documentElement.scrollWidth - innerWidth, first.slice(0, 4).map((one) => one.tagName + "." + one.className)];
}"""


PAGES = (
    "/dashboard/", "/dashboard/videos/", "/dashboard/videos/?columns=none&columns=id", "/dashboard/videos/{video}/",
    "/dashboard/subtitles/", "/dashboard/subtitles/videos/{video}/pt-BR/", "/dashboard/ai-content/",
    "/dashboard/ai-content/{lesson}/pt-BR/quiz/", "/dashboard/review-links/", "/dashboard/review-links/{link}/",
    "/dashboard/review-links/{link}/print/", "/dashboard/ab-tests/", "/dashboard/analytics/", "/dashboard/analytics/ranking/",
    "/dashboard/analytics/traffic/", "/dashboard/analytics/retention/", "/dashboard/funnels/", "/dashboard/funnels/{funnel}/",
    "/dashboard/folders/", "/dashboard/playlists/", "/dashboard/playlists/{playlist}/", "/dashboard/lives/",
    "/dashboard/lives/{live}/", "/dashboard/custom-fields/videos/{video}/", "/dashboard/assistants/",
    "/dashboard/sub-accounts/", "/dashboard/referrals/", "/dashboard/activity/", "/dashboard/search/?q=W", "/accounts/",
    "/dashboard/review-links/inbox/", "/dashboard/review-links/inbox/answers/", "/dashboard/review-links/videos/{video}/",
    "/dashboard/review-links/{link}/cuts/", "/dashboard/notices/", "/dashboard/notices/settings/",
    "/dashboard/notices/links/{link}/", "/{link}", "/{link}?reply=1", "/{link}?tab=transcript", "/{link}/print",
    "/{link}/finish", "/{link}/email", "/{link}/people",
)  # fmt: skip


def addresses(cast: dict[str, Any]) -> list[str]:
    names = {
        "video": cast["videos"]["reviewed"],
        "lesson": cast["videos"]["with_ai_content"],
        "link": cast["review_links"]["open"],
        "funnel": cast["funnels"]["main"],
        "playlist": cast["playlists"]["own"],
        "live": cast["lives"]["scheduled"],
    }
    return [page.format(**names) for page in PAGES]


def lengthen() -> None:
    """Every text that people gave becomes one word as long as its column takes, up to five hundred letters."""
    for model in apps.get_app_config("sandbox").get_models():
        for column in model._meta.fields:
            named = column.name in TEXTS and isinstance(column, CharField | TextField)
            if not named or (model._meta.model_name, column.name) in KEPT or column.primary_key:
                continue
            most = min(column.max_length or 500, 500)
            for row in model._default_manager.using("sandbox").all()[:400]:
                model._default_manager.using("sandbox").filter(pk=row.pk).update(
                    **{column.name: f"{str(row.pk)[:8]}{'W' * most}"[:most]}
                )


def test_no_word_is_too_long_for_a_page(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    lengthen()
    page = desk()
    offenders = []
    for address in addresses(cast):
        page.goto(address)
        for width in (1280, 390, 320):
            page.set_viewport_size({"width": width, "height": 800})
            too_wide, elements = page.evaluate(WIDE)
            if too_wide > 0:
                offenders.append(f"{address} at {width}: {too_wide} px, {elements}")
    assert not offenders, "\n".join(offenders)
