"""Every form of the product, pressed at the same instant in two processes and once more afterwards, is one write."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox import faults
from dashboard.upstream import platform_health
from dashboard.writes import operations
from tests.conftest import signed_in
from tests.due import run_due
from tests.house.sources import assert_none, list_templates, read_text
from tests.house.test_templates import template_name
from tests.presses import dashboard_cases, review_cases
from tests.presses.browser import Browser
from tests.presses.cases import CASES, Case, World
from tests.presses.server import journal_writes, serving

LATE = 60
"""Milliseconds that the platform takes for a write: the second press comes while the first one is under way."""
POSTED = re.compile(r'<form\b(?=(?:[^>"]|"[^"]*")*\bmethod="post")')
KEPT_HERE = "changes only what is kept here: nothing is sent to the platform"
SENDS_NOTHING = {
    "ab_tests/_plan.html": KEPT_HERE,
    "ab_tests/_terms.html": KEPT_HERE,
    "accounts/account.html": KEPT_HERE,
    "notices/public.html": KEPT_HERE,
    "notices/mailbox.html": KEPT_HERE,
    "notices/settings.html 1": KEPT_HERE,
    "notices/settings.html 2": KEPT_HERE,
    "notices/webhook.html 1": KEPT_HERE,
    "notices/webhook.html 2": KEPT_HERE,
    "notices/webhook.html 3": KEPT_HERE,
    "notices/notices.html": KEPT_HERE,
    "notices/_latest.html": KEPT_HERE,
    "review_links/_notice.html": KEPT_HERE,
    "review_portal/_email.html": KEPT_HERE,
    "review_portal/_email_form.html": KEPT_HERE,
    "review_portal/_decision.html 1": KEPT_HERE,
    "review_portal/_decision.html 2": KEPT_HERE,
    "accounts/accounts.html": "another account is used",
    "sub_accounts/_action.html": "another account is used",
    "sub_accounts/_figures.html": "another account is used",
    "reports/other_account.html": "another account is used",
    "accounts/devices.html": "ends a session",
    "lives/live.html": "the stream key is only read",
    "accounts/disconnect.html": KEPT_HERE,
    "accounts/sign_out_devices.html": "ends sessions",
    "accounts/sign_in.html 1": "the token is only read with",
    "accounts/sign_in.html 2": "the token is only read with",
    **dict.fromkeys(
        (
            *("ai_content/_bar.html 1", "ai_content/_ebook_cover.html", "ai_content/_ebook_summary.html"),
            *(
                "ai_content/_ebook_text.html",
                "ai_content/_map.html",
                "ai_content/_toast.html",
                "ai_content/compare.html",
            ),
            *(f"ai_content/_question.html {n}" for n in range(1, 7)),
            *("ai_content/ebook.html", "ai_content/import.html", "ai_content/mindmap.html", "ai_content/preview.html"),
            *("ai_content/quiz.html 1", "ai_content/quiz.html 2", "ai_content/save.html 2", "ai_content/settings.html"),
            "ai_content/version.html",
        ),
        "changes the draft, which is kept here until it is saved",
    ),
    "analytics/traffic.html": KEPT_HERE,
    "getting_started/_played.html": KEPT_HERE,
    "getting_started/getting_started.html": KEPT_HERE,
    "assistants/assistants.html 3": KEPT_HERE,
    "assistants/assistants.html 4": KEPT_HERE,
    "components/_kept.html": KEPT_HERE,
    "components/_open_write.html 1": "says that a write arrived",
    **dict.fromkeys(("components/_places.html 1", "components/_places.html 2"), "another account, or none, is used"),
    **dict.fromkeys(("components/_tools.html 1", "components/_tools.html 2"), "the theme and the language"),
    "custom_fields/_progress.html": "lets a file that pauses go on: one process at a time, tested there",
    "custom_fields/_reading.html": "reads",
    "custom_fields/change.html 2": "compares first: sends nothing",
    "custom_fields/changes.html": "compares first: sends nothing",
    "errors/database.html": "offers a form once more that the database could not take, under its own key",
    "funnels/add.html": "changes the draft, which is kept here until it is sent",
    "health/health.html": "reads",
    "funnels/funnel.html": "changes the draft, which is kept here until it is sent",
    "review_links/_cuts.html 1": KEPT_HERE,
    "review_links/_cuts.html 2": KEPT_HERE,
    "review_links/_decisions.html": KEPT_HERE,
    "review_links/_share.html 1": KEPT_HERE,
    "review_links/_share.html 2": KEPT_HERE,
    "review_links/inbox.html": KEPT_HERE,
    "review_links/saved_answers.html": KEPT_HERE,
    "review_links/claim.html 1": KEPT_HERE,
    "review_links/claim.html 2": "reads whose link it is",
    "review_links/import.html": "reads whose link it is",
    "review_portal/_people.html": KEPT_HERE,
    **dict.fromkeys((f"review_portal/device.html {n}" for n in range(1, 4)), KEPT_HERE),
    **dict.fromkeys(
        ("runs/check.html", *(f"runs/_run.html {n}" for n in range(1, 7))),
        "the worker sends a run, each video under a key of its own: tested in tests/runs",
    ),
    "runs/options.html": "makes a run, which is shown before it is sent",
    "subtitles/_gaps.html": "makes a run, which is shown before it is sent",
    "overview/_next_steps.html": "the same",
    **dict.fromkeys((f"sandbox/sandbox.html {n}" for n in range(1, 6)), "is the embedded platform's own"),
    **dict.fromkeys(("search/_palette.html", "search/search.html"), "the theme, another account, or signing out"),
    "videos/_view_form.html": KEPT_HERE,
    "videos/saved_view.html 1": KEPT_HERE,
    "videos/saved_view.html 2": KEPT_HERE,
    "subtitles/subtitles.html": "makes a plan, which is shown before it is sent",
}
"""Forms without a case, with the reason."""
CASES_OF = (dashboard_cases, review_cases)


def list_forms() -> set[str]:
    """Every posted form of every template, by the template's name, with its number where there are several."""
    found = set()
    for path in list_templates():
        count, name = len(POSTED.findall(read_text(path))), template_name(path)
        found |= {name} if count == 1 else {f"{name} {n}" for n in range(1, count + 1)}
    return found


def test_every_form_of_the_product_is_pressed_or_sends_nothing() -> None:
    forms, pressed = list_forms(), {case.form for case in CASES}
    assert len(forms) > 80
    assert_none(
        [
            f"{form}: write a case in tests/presses, or say why it sends nothing"
            for form in forms - pressed - {*SENDS_NOTHING}
        ]
        + [f"{form}: there is no such form" for form in (pressed | {*SENDS_NOTHING}) - forms]
        + [f"{form}: has a case, so it does send" for form in pressed & {*SENDS_NOTHING}]
    )


def test_no_form_with_a_write_s_key_is_said_to_send_nothing() -> None:
    """Those that carry one without a call make a file of changes, a run, or a try of the webhook, once."""
    keyed = {template_name(path) for path in list_templates() if "{% write_key" in read_text(path)}
    excused = {name.partition(" ")[0] for name in SENDS_NOTHING} - {case.form.partition(" ")[0] for case in CASES}
    assert keyed & excused == {
        "custom_fields/changes.html", "notices/settings.html", "notices/webhook.html", "overview/_next_steps.html", "runs/options.html", "subtitles/_gaps.html",
    }  # fmt: skip


def judge(case: Case, world: World, journal: Path) -> tuple[list[str], set[str]]:
    """What is wrong with the presses of one form, and which calls left."""
    faults.clear()
    press = case.prepare(world)
    for operation in press.sends:
        faults.set(operation, latency_ms=LATE, broken=press.lost)
    before = len(journal.read_text().splitlines())
    form, button = press.found
    held = {"hold": "1"} if press.holds and case.script else {}
    answers = press.browser.press(form, form.filled({**press.typed, **held}), button, script=case.script)
    press.then()
    if held:
        run_due(6)
    sent = [line.partition(" ")[0] for line in journal.read_text().splitlines()[before:]]
    outcomes = [answer.outcome for answer in answers]
    problems = []
    if Counter(sent) != Counter(press.sends):
        problems.append(f"{len(sent)} calls left, not {len(press.sends)}: {sent} {outcomes}")
    if case.alike and len(set(outcomes)) > 1:
        problems.append(f"the presses were answered differently: {outcomes}")
    if form.script and not any(other.script for other in CASES if other.name == case.name):
        problems.append("script sends this form, too: press it so")
    if any(answer.status >= 400 for answer in answers):
        problems.append(f"a press was refused: {outcomes}")
    return problems, set(sent)


@pytest.mark.loopback
@pytest.mark.django_db(transaction=True, databases=["default", "sandbox"])
def test_every_form_pressed_at_once_in_two_processes_is_one_write(
    cast: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = signed_in(Client(), cast["tokens"]["owner"]).cookies[settings.SESSION_COOKIE_NAME].value
    journal, offenders, left = tmp_path / "journal.txt", [], set()
    with serving(tmp_path) as ports:
        monkeypatch.setattr(platform_health, "observe", journal_writes(journal))
        owner = Browser(ports, {settings.SESSION_COOKIE_NAME: session})
        world = World(ports, owner, cast, Account.objects.get())
        for case in CASES:
            try:
                problems, sent = judge(case, world, journal)
            except Exception as error:  # the walk goes on, and the list names it
                problems, sent = [f"{type(error).__name__}: {error}"], set()
            offenders += [f"{case}: {problem}" for problem in problems]
            left |= sent
    assert_none(offenders)
    ours = {name for name in operations._registered if name.startswith("notices.")}  # none of them calls the platform
    assert {*operations._registered} - ours <= left, "every operation of the outbox was pressed"
