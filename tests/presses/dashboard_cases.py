"""The forms of the dashboard whose press leads to a call of the platform."""

import re
import uuid

from django.utils import timezone

from dashboard.activity.models import Entry
from dashboard.custom_fields import tasks
from dashboard.custom_fields.models import MOVING, Change
from dashboard.notices.models import Mail
from dashboard.reports.models import WeeklyReport
from dashboard.sandbox import faults
from dashboard.sandbox.models import AiFile, Comparison, CustomField, Video
from dashboard.subtitles.models import Batch
from tests.due import run_due
from tests.presses.cases import Press, World, case, copy_of, undecided

HERE = "/dashboard"


@case("playlists/delete.html")
def hold_a_deletion(world: World) -> Press:
    playlist = world.playlist()
    page = f"{HERE}/playlists/{playlist.pk}/delete/"
    found = world.owner.form(page, page, "")
    return Press(world.owner, found, {"name": playlist.name}, sends=("playlists.delete",), then=lambda: run_due(11))


def held_deletion(world: World) -> str:
    """The page of a deletion that is held."""
    press = hold_a_deletion(world)
    return world.owner.post(press.found, press.typed).headers["location"]


@case("playlists/_progress.html 1")
def undo_a_deletion(world: World) -> Press:
    page = held_deletion(world)
    return Press(world.owner, world.owner.form(page, "/undo/"))


@case("playlists/_progress.html 2")
def delete_a_playlist_now(world: World) -> Press:
    page = held_deletion(world)
    return Press(world.owner, world.owner.form(page, "/send/"), sends=("playlists.delete",))


@case("lives/start.html")
def start_a_live(world: World) -> Press:
    page = f"{HERE}/lives/{world.live().pk}/start/"
    return Press(world.owner, world.owner.form(page, page), sends=("lives.start",))


@case("lives/finish.html")
def finish_a_live(world: World) -> Press:
    page = f"{HERE}/lives/{world.live('online').pk}/finish/"
    return Press(world.owner, world.owner.form(page, page), sends=("lives.finish",))


@case("lives/create.html")
def create_a_live(world: World) -> Press:
    page = f"{HERE}/lives/create/"
    return Press(world.owner, world.owner.form(page, page), {"title": f"Live {uuid.uuid4()}"}, sends=("lives.create",))


@case("components/_open_write.html 2")
def start_a_live_again(world: World) -> Press:
    live = world.live()
    page = f"{HERE}/lives/{live.pk}/start/"
    faults.set("lives.start", broken="dropped", times=1)
    world.owner.post(world.owner.form(page, page))
    undecided("lives.start")
    found = world.owner.form(f"{HERE}/lives/{live.pk}/", "/again/")
    return Press(world.owner, found, sends=("lives.start",), lost="dropped")


@case("components/_write.html")
def send_an_edit_again(world: World) -> Press:
    test = world.comparison("draft")
    page = f"{HERE}/ab-tests/{test.pk}/edit/"
    faults.set("comparisons.update", broken="lost", times=1)
    world.owner.post(world.owner.form(page, page), {"name": "Another name"})
    write = undecided("comparisons.update")
    found = world.owner.form(f"{HERE}/ab-tests/{test.pk}/", f"/writes/{write.pk}/", "send_again")
    return Press(world.owner, found, sends=("comparisons.update",), lost="dropped")


@case("custom_fields/_field.html 1", script=True)
def save_a_field(world: World) -> Press:
    field = CustomField.objects.create(video=world.video(), key="mood", value="calm")
    to = f"{HERE}/custom-fields/videos/{field.video_id}/"
    return Press(
        world.owner, world.owner.form(to, f"/{field.pk}/"), {"value": "bright"}, sends=("custom_fields.update",)
    )


@case("custom_fields/_field.html 2", script=True)
def undo_the_change_of_a_field(world: World) -> Press:
    press = save_a_field(world)
    form, button = press.found
    answer = world.owner.post((form, button), press.typed, script=True)
    forms = [one for one in answer.forms(form.action) if "loaded" not in dict(one.values)]
    return Press(world.owner, (forms[-1], forms[-1].buttons[0]), sends=("custom_fields.update",))


def work() -> None:
    """What the worker does with files of changes."""
    for _step in range(30):
        for change in Change.objects.filter(stage__in=MOVING):
            tasks.run_change.func(str(change.pk))


@case("custom_fields/change.html 1")
def send_the_changes_of_a_file(world: World) -> Press:
    field = CustomField.objects.create(video=world.video(), key="mood", value="calm")
    change = Change.objects.create(account_id=world.account.pk, name="fields.csv", due_at=timezone.now())
    change.lines.create(number=2, video_id=str(field.video_id), key="mood", value="bright")
    work()
    page = f"{HERE}/custom-fields/changes/{change.pk}/"
    return Press(world.owner, world.owner.form(page, "/send/"), sends=("custom_fields.update",), then=work)


@case("subtitles/check.html")
def send_a_batch(world: World) -> Press:
    batch = planned(world, "Meet Joaquim")
    return Press(world.owner, world.owner.form(batch, "/send/"), sends=("ai_workflow.create",))


@case("subtitles/batch.html")
def send_the_rest_of_a_batch(world: World) -> Press:
    batch = planned(world, "Aula 10. O primeiro estalo")
    faults.set("ai_workflow.create", status=429, retry_after=300, times=1)
    world.owner.post(world.owner.form(batch, "/send/"))
    return Press(world.owner, world.owner.form(batch, "/send/"), sends=("ai_workflow.create",))


def planned(world: World, title: str) -> str:
    """The page of a batch that was planned and not sent."""
    video = Video.objects.get(title=title)
    batch = Batch.objects.create(account=world.account, actor="Ana", type="TRANSLATION", tier="pro", from_lang="pt-BR")
    batch.cells.create(video_id=str(video.pk), title=video.title, lang="it", position=0)
    return f"{HERE}/subtitles/batches/{batch.pk}/"


@case("funnels/review.html")
def send_a_funnel(world: World) -> Press:
    page = f"{HERE}/funnels/{world.cast['funnels']['main']}/"
    form, _button = world.owner.form(page, "/arrange/")
    names = [name for name, _value in form.values if name.startswith("x-")]
    world.owner.post(world.owner.form(page, "/arrange/", "keep"), {names[1]: "321"})
    return Press(world.owner, world.owner.form(f"{page}review/", "/send/"), sends=("funnels.add_videos",))


@case("assistants/assistants.html 1", script=True)
def switch_a_chat(world: World) -> Press:
    page = f"{HERE}/assistants/?of={world.video().pk}"
    return Press(world.owner, world.owner.form(page, "/switch/"), sends=("assistants.update_chat_visibility",))


@case("assistants/assistants.html 2")
def switch_several_chats(world: World) -> Press:
    video = str(world.video().pk)
    found = world.owner.form(f"{HERE}/assistants/?of={video}", "/several/")
    typed = {"video": video, "assistant": world.cast["assistants"]["main"], "visible": "1"}
    return Press(world.owner, found, typed, sends=("assistants.update_chat_visibility",))


@case("sub_accounts/create.html")
def create_a_sub_account(world: World) -> Press:
    page = f"{HERE}/sub-accounts/create/"
    typed = {
        "name": "Marca do Cliente", "tax_id": "529.982.247-25", "phone": "+55 11 91234-5678", "currency": "brl",
        "user_name": "Ana Prado", "user_email": f"{uuid.uuid4().hex[:8]}@example.com",
    }  # fmt: skip
    return Press(world.owner, world.owner.form(page, page), typed, sends=("organizations.create_sub_account",))


@case("ab_tests/create.html")
def create_a_test(world: World) -> Press:
    page = f"{HERE}/ab-tests/create/"
    videos = [world.cast["videos"]["plain"], world.cast["videos"]["with_subtitles"]]
    found = world.owner.form(page, page, "")
    return Press(world.owner, found, {"name": "Valley", "video_ids": videos}, sends=("comparisons.create",))


@case("ab_tests/edit.html")
def edit_a_test(world: World) -> Press:
    page = f"{HERE}/ab-tests/{world.comparison('draft').pk}/edit/"
    return Press(world.owner, world.owner.form(page, page, ""), {"name": "Renamed"}, sends=("comparisons.update",))


@case("ab_tests/_start.html")
def start_a_test(world: World) -> Press:
    page = f"{HERE}/ab-tests/{world.comparison('draft').pk}/start/"
    return Press(world.owner, world.owner.form(page, page), {"sure": "on"}, sends=("comparisons.start",))


@case("ab_tests/_finish.html")
def finish_a_test(world: World) -> Press:
    test: Comparison = world.comparison("in_progress")
    page = f"{HERE}/ab-tests/{test.pk}/finish/"
    winner = test.variants.order_by("position")[1]
    typed = {"winner": str(winner.video_id), "reason": "Because"}
    return Press(world.owner, world.owner.form(page, page), dict(typed), sends=("comparisons.finish",))


@case("ab_tests/_delete.html")
def delete_a_test(world: World) -> Press:
    test = world.comparison("draft")
    page = f"{HERE}/ab-tests/{test.pk}/delete/"
    return Press(world.owner, world.owner.form(page, page), {"name": test.name}, sends=("comparisons.delete",))


@case("activity/entry.html")
def undo_from_the_page_of_an_entry(world: World) -> Press:
    page = f"{HERE}/activity/{edited(world).pk}/"
    return Press(world.owner, world.owner.form(page, "/undo/"), sends=("comparisons.update",))


@case("activity/activity.html")
def undo_from_the_log(world: World) -> Press:
    entry = edited(world)
    found = world.owner.form(f"{HERE}/activity/", f"/{entry.pk}/undo/")
    return Press(world.owner, found, sends=("comparisons.update",))


@case("overview/overview.html")
def undo_from_the_overview(world: World) -> Press:
    entry = edited(world)
    return Press(world.owner, world.owner.form(f"{HERE}/", f"/{entry.pk}/undo/"), sends=("comparisons.update",))


def edited(world: World) -> Entry:
    """The row of an edit that can be undone."""
    press = edit_a_test(world)
    world.owner.post(press.found, press.typed)
    return Entry.objects.filter(operation="comparisons.update").latest("at")


def editing(world: World) -> str:
    """The address of a language in which one question was changed and not sent."""
    page = f"{HERE}/ai-content/{world.cast['videos']['with_ai_content']}/en/"
    handle = re.findall(r'data-handle="(\w+)"', world.owner.get(f"{page}quiz/").text)[0]
    question = f"{page}quiz/questions/{handle}/"
    answer = world.owner.post(world.owner.form(question, question), {"enunciate": f"What is it, {uuid.uuid4()}?"})
    assert answer.status in (200, 302), answer.text[:500]
    return page


@case("ai_content/save.html 1")
def save_ai_content_after_a_look(world: World) -> Press:
    page = f"{editing(world)}save/"
    return Press(world.owner, world.owner.form(page, "/save/"), sends=("ai_workflow.save_package",))


@case("ai_content/_bar.html 2", script=True)
def save_ai_content_from_the_editor(world: World) -> Press:
    page = f"{editing(world)}quiz/"
    return Press(world.owner, world.owner.form(page, "/save/"), sends=("ai_workflow.save_package",))


@case("ai_content/merge.html", alike=False)
def merge_and_save_ai_content(world: World) -> Press:
    page = editing(world)
    last = AiFile.objects.filter(video_id=world.cast["videos"]["with_ai_content"], lang="en").latest("id")
    questions = [*last.content["questions"]]
    questions[-1] = {**questions[-1], "enunciate": f"Theirs, {uuid.uuid4()}?"}
    copy_of(last, content={**last.content, "questions": questions})
    merge = world.owner.post(world.owner.form(f"{page}save/", "/save/")).headers["location"]
    return Press(world.owner, world.owner.form(merge, "/merge/", "save"), sends=("ai_workflow.save_package",))


@case("ai_content/generate.html")
def generate_ai_content(world: World) -> Press:
    page = f"{HERE}/ai-content/{world.video().pk}/generate/"
    return Press(world.owner, world.owner.form(page, page, ""), {"lang": "fr"}, sends=("ai_workflow.generate_package",))


@case("ai_content/delete_resources.html")
def delete_ai_content(world: World) -> Press:
    video = world.video("with_ai_content")
    mould = AiFile.objects.filter(video_id=world.cast["videos"]["with_ai_content"], lang="en").earliest("id")
    copy_of(mould, video=video)
    page = f"{HERE}/ai-content/{video.pk}/en/resources/delete/"
    return Press(world.owner, world.owner.form(page, page, ""), sends=("ai_workflow.delete_package",))


def weekly_report(world: World) -> str:
    """An address of its own, on the page of the report."""
    address = f"{uuid.uuid4().hex}@example.com"
    world.owner.post(world.owner.form(f"{HERE}/reports/", "/reports/weekly/"), {"address": address})
    return address


@case("reports/_weekly.html 1")
def stop_a_weekly_report(world: World) -> Press:
    weekly_report(world)
    key = WeeklyReport.objects.latest("created_at").pk

    def then() -> None:
        assert not WeeklyReport.objects.filter(pk=key).exists()

    return Press(world.owner, world.owner.form(f"{HERE}/reports/", f"/{key}/stop/"), then=then)


@case("reports/_weekly.html 2")
def send_a_report_every_monday(world: World) -> Press:
    before = WeeklyReport.objects.count(), Mail.objects.count()

    def then() -> None:
        assert (WeeklyReport.objects.count(), Mail.objects.count()) == (before[0] + 1, before[1] + 1)

    found = world.owner.form(f"{HERE}/reports/", "/reports/weekly/")
    return Press(world.owner, found, {"address": f"{uuid.uuid4().hex}@example.com"}, then=then)
