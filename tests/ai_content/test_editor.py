"""The editor's pages: every edit is kept and can be taken back; two windows see each other; nothing typed is lost."""

import re
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.ai_content import library, versions
from dashboard.ai_content.models import Draft, Version, get_content
from dashboard.ai_content.rules.package import NotAPackage, Package
from dashboard.platform_api.values import JSON
from tests.ai_content.conftest import Hands
from tests.ai_content.packages import package
from tests.conftest import AtPlatform, signed_in
from tests.forgetting import forget
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

PAGES = ["", "ebook/", "ebook/print/", "mindmap/", "quiz/", "quiz/settings/", "quiz/compare/", "quiz/preview/"]
PAGES += ["versions/", "save/", "import/", "export/json/", "export/csv/", "export/md/", "export/opml/"]


@pytest.mark.parametrize("page", PAGES)
def test_signed_out_people_sign_in_first_and_come_back(client: Client, hands: Hands, page: str) -> None:
    client.post("/sign-out/")
    assert client.get(hands.address(page))["Location"].startswith("/sign-in/?next=")


@pytest.mark.parametrize("page", PAGES)
def test_another_accounts_video_is_not_there(client: Client, cast: dict[str, Any], hands: Hands, page: str) -> None:
    hands.text("quiz/")
    signed_in(client, cast["tokens"]["other"])
    assert client.get(hands.address(page)).status_code == 404
    assert client.post(hands.address("undo/"), {"block": "quiz"}).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(hands: Hands, page: str) -> None:
    hands.text(page)


@pytest.mark.parametrize(
    ("fault", "status"), [({"broken": "refused"}, 504), ({"status": 500}, 502), ({"status": 429}, 503)]
)
def test_a_platform_in_trouble_shows_the_last_version_known(
    hands: Hands, faults: ModuleType, fault: dict[str, Any], status: int
) -> None:
    faults.set("ai_workflow.read_package", **fault)
    assert hands.get("quiz/").status_code == status
    faults.clear()
    hands.text("quiz/")
    faults.set("ai_workflow.read_package", **fault)
    assert "what you type is kept here" in hands.text("quiz/")


def test_a_language_without_a_file_says_so_and_offers_the_others(hands: Hands) -> None:
    answer = hands.client.get(hands.address().replace("/en/", "/fr/"))
    assert answer.status_code == 404
    assert "There is no file for French" in answer.content.decode()
    assert hands.address() in answer.content.decode()


def test_a_file_that_would_lose_something_is_not_opened(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(value: JSON) -> Package:
        raise NotAPackage("not_finite")

    monkeypatch.setattr(versions, "check_package", refusing)
    answer = hands.get("quiz/")
    assert answer.status_code == 502
    assert "cannot be edited without losing something" in answer.content.decode()


def test_the_library_shows_languages_gaps_and_unsent_work(hands: Hands) -> None:
    hands.write(1, "Edited?")
    text = hands.client.get(f"/dashboard/ai-content/?title={hands.video.title[:9]}").content.decode()
    assert hands.address() in text
    assert "Not sent" in text
    spanish = hands.client.get("/dashboard/ai-content/?title=altura").content.decode()
    assert " missing" in spanish or "Without AI content" in spanish


def test_the_library_asks_once_for_each_row_and_then_for_nothing_for_a_while(
    hands: Hands, at_platform: AtPlatform
) -> None:
    asked: list[str] = []
    at_platform.arrives("*", lambda request: asked.append(request.path))
    forget()
    text = hands.client.get("/dashboard/ai-content/").content.decode()
    library_calls = [path for path in asked if "/videos" in path]
    assert 1 < len(library_calls) <= 1 + library.PER_PAGE and "coverage__cell" in text
    asked.clear()
    hands.client.get("/dashboard/ai-content/")
    assert not [path for path in asked if "/videos" in path]


def test_questions_are_added_moved_duplicated_and_deleted_with_undo(hands: Hands) -> None:
    first = hands.handle(1)
    hands.post(f"quiz/questions/{first}/move/", {"to": "3"})
    assert hands.handle(3) == first
    hands.post(f"quiz/questions/{first}/move/", {"to": "up"})
    assert hands.handle(2) == first
    hands.post(f"quiz/questions/{first}/duplicate/")
    assert hands.text("quiz/").count('data-handle="') == 6
    hands.post(f"quiz/questions/{first}/delete/")
    assert hands.text("quiz/").count('data-handle="') == 5
    step = hands.text("quiz/").split('name="step" value="')[1].split('"')[0]
    hands.post("undo/", {"block": "quiz", "step": step})
    assert hands.handle(2) == first


def test_undo_takes_back_step_by_step_until_nothing_is_left(hands: Hands) -> None:
    first = hands.handle(1)
    hands.post(f"quiz/questions/{first}/delete/")
    hands.write(1, "Edited?")
    hands.post("undo/", {"block": "quiz"})
    hands.post("undo/", {"block": "quiz"})
    assert not Draft.objects.exists()
    assert hands.handle(1) == first


def test_alternatives_are_added_moved_copied_and_deleted_with_what_they_hold(hands: Hands) -> None:
    page = f"quiz/questions/{hands.handle(1)}/"
    hands.post(page, {**hands.form(page), "do": "add:0"})
    hands.post(page, {**hands.form(page), "do": "delete:0"})
    hands.post(page, {**hands.form(page), "do": "down:0"})
    assert hands.form(page)["text"] == ["Answer 1.c", "Answer 1.b", ""]


def test_question_that_is_opened_beside_the_list_comes_without_the_page_around_it(hands: Hands) -> None:
    page = f"quiz/questions/{hands.handle(2)}/"
    part = hands.get(page, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="question").content.decode()
    assert part.lstrip().startswith("<section") and f'href="{hands.address("quiz/")}"' in part
    assert f'action="{hands.address(page)}"' in part


def test_two_windows_on_one_question_ask_before_one_overwrites_the_other(hands: Hands) -> None:
    page = f"quiz/questions/{hands.handle(1)}/"
    mine, theirs = hands.form(page), hands.form(page)
    hands.part(page, {**theirs, "enunciate": "Theirs?"}, tab="two")
    answer = hands.part(page, {**mine, "enunciate": "Mine?"}, tab="one")
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Theirs?" in text
    assert "Mine?" in text, "what was typed stays in the form"
    assert "Theirs?" in hands.text("quiz/")


def test_two_windows_on_different_questions_keep_both(hands: Hands) -> None:
    one, two = (f"quiz/questions/{hands.handle(n)}/" for n in (1, 2))
    first, second = hands.form(one), hands.form(two)
    assert hands.part(one, {**first, "enunciate": "One?"}, tab="one").status_code == 200
    assert hands.part(two, {**second, "enunciate": "Two?"}, tab="two").status_code == 200
    text = hands.text("quiz/")
    assert "One?" in text
    assert "Two?" in text


def test_a_window_hears_of_changes_made_in_another(hands: Hands) -> None:
    version = hands.text("quiz/").split("pulse/?v=")[1].split('"')[0]
    hands.get(f"pulse/?v={version}", HTTP_X_TAB="one", HTTP_HX_REQUEST="true")
    page = f"quiz/questions/{hands.handle(1)}/"
    hands.part(page, {**hands.form(page), "enunciate": "Theirs?"}, tab="two")
    heard = hands.get(f"pulse/?v={version}", HTTP_X_TAB="one", HTTP_HX_REQUEST="true").content.decode()
    assert "changed something here in another window" in heard
    own = hands.get(f"pulse/?v={version}", HTTP_X_TAB="two", HTTP_HX_REQUEST="true").content.decode()
    assert "in another window" not in own


def test_a_question_deleted_in_another_window_comes_back_as_a_new_one_with_what_was_typed(hands: Hands) -> None:
    handle = hands.handle(1)
    page = f"quiz/questions/{handle}/"
    form = hands.form(page)
    hands.post(f"quiz/questions/{handle}/delete/")
    answer = hands.client.post(hands.address(page), {**form, "enunciate": "Still mine?"}, follow=True)
    assert "Still mine?" in answer.content.decode()


def test_kept_settings_write_every_switch_and_leave_the_rest(hands: Hands) -> None:
    hands.post("quiz/settings/", {"num_answers": "4", "on": ["shuffle"]})
    hands.save()
    assert hands.file["questions_config"] == {
        "num_answers": 4,
        "shuffle": True,
        "theme": {"accent": "#0a6"},
        "show_results": False,
    }
    assert hands.post("quiz/settings/", {"num_answers": "many"}).status_code == 422


def test_the_preview_can_be_taken(hands: Hands) -> None:
    answer = hands.post("quiz/preview/", {"a0": "0", "a1": "1"})
    assert "1 of 5 right" in answer.content.decode()


def test_the_ebooks_html_is_always_made_from_its_text(hands: Hands) -> None:
    hands.post("ebook/", {"part": "text", "abstract": "# New\n\n<script>alert(1)</script>"})
    hands.save()
    assert hands.file["abstract_html"] == "<h1>New</h1>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"


def test_untouched_text_keeps_its_html_letter_for_letter(hands: Hands) -> None:
    hands.post("ebook/", {"part": "summary", "abstract_summary": "Short."})
    hands.save()
    assert hands.file["abstract_html"] == package()["abstract_html"]
    assert hands.file["abstract_summary"] == "Short."


@pytest.mark.parametrize(
    ("what", "text", "html"),
    [("markdown", "# Mine\n", "<h1>Mine</h1>\n"), ("html", "# Theirs\n", "<h1>Theirs</h1>\n")],
)
def test_text_and_html_that_disagree_are_asked_about_before_anything_is_sent(
    hands: Hands, what: str, text: str, html: str
) -> None:
    hands.overwrite({**package(), "abstract": "# Mine\n", "abstract_html": "<h1>Theirs</h1>"})
    assert "Text and HTML differ" in hands.text("ebook/")
    hands.post("ebook/keep/", {"what": what})
    assert "Text and HTML differ" not in hands.text("ebook/")
    hands.save()
    assert (hands.file["abstract"], hands.file["abstract_html"]) == (text, html)


def test_a_disagreement_that_nobody_settled_stops_the_ebook_and_nothing_else(hands: Hands) -> None:
    hands.overwrite({**package(5), "abstract": "# Mine\n", "abstract_html": "<h1>Theirs</h1>"})
    hands.write(1, "Edited?")
    assert hands.save().status_code == 302
    hands.post("ebook/", {"part": "text", "abstract": "# Mine too\n"})
    answer = hands.save()
    assert answer.status_code == 422
    assert "choose which to keep" in answer.content.decode()


def test_the_cover_is_edited_line_by_line(hands: Hands) -> None:
    hands.post("ebook/", {"part": "cover", "title": "New title", "subtitle": ""})
    hands.save()
    assert hands.file["abstract_cover"] == {**package()["abstract_cover"], "title": "New title"}  # type: ignore[dict-item]


def outline(hands: Hands, **more: str) -> Any:
    page = hands.text("mindmap/")
    mark = page.split('id="seen-map" value="')[1].split('"')[0]
    return hands.post("mindmap/", {"seen": mark, **more})


def test_the_outline_edits_the_map_in_place(hands: Hands) -> None:
    outline(hands, **{"label:0.1": "Rinse", "do": "keep"})
    outline(hands, node="0.1", do="outdent")
    outline(hands, node="0", do="add_inside")
    hands.save()
    root = hands.file["mindmap"]
    assert root["theme"] == "warm"
    assert [child["label"] for child in root["children"]] == ["Cherry", "Rinse", "Cup"]
    assert [child["label"] for child in root["children"][0]["children"]] == ["Harvest", ""]


def test_an_outline_that_changed_elsewhere_is_not_overwritten(hands: Hands) -> None:
    outline(hands, **{"label:0": "Cherries", "do": "keep"})
    answer = hands.post("mindmap/", {"seen": "older", "label:1": "Mine", "do": "keep"})
    assert answer.status_code == 422
    assert "changed in another window" in answer.content.decode()


def test_labels_with_markup_are_words_in_the_diagram(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": {"label": "<b>A & B</b>", "children": [{"label": '"C"'}]}})
    drawn = hands.text("mindmap/").split('id="drawing"')[1].split("</svg>")[0]
    assert "<b>" not in drawn
    assert "<title>&lt;b&gt;A &amp; B&lt;/b&gt;</title>" in drawn
    assert re.search(r'<rect x="\d+" y="\d+" width="\d+" height="\d+" rx="6"/><text><tspan x="\d+" y="\d+">', drawn)


def test_a_map_that_is_no_tree_is_shown_as_json_and_checked(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": {"graph": [[1, 2]]}})
    assert "not a tree of labels" in hands.text("mindmap/")
    mark = hands.text("mindmap/").split('name="seen" value="')[1].split('"')[0]
    broken = hands.post("mindmap/json/", {"seen": mark, "json": '{"graph": '})
    assert broken.status_code == 422
    assert "{&quot;graph&quot;: " in broken.content.decode(), "what was typed is still there"
    hands.post("mindmap/json/", {"seen": mark, "json": '{"graph": [[1, 3]]}'})
    hands.save()
    assert hands.file["mindmap"] == {"graph": [[1, 3]]}


PLATFORM_MAP: Package = {
    "theme": "Coffee",
    "children": [
        {
            "text": "Cherry",
            "time": "00:02:48.075",
            "children": [{"text": "Harvest", "time": "03:10.500", "children": []}],
        },
        {"text": "Cup", "children": [], "colour": "#321"},
    ],
}


def test_the_platforms_own_map_is_an_outline_with_moments_that_play(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": PLATFORM_MAP})
    page = hands.text("mindmap/")
    assert "not a tree of labels" not in page and 'value="Coffee"' in page and "3 levels" in page
    assert 'name="time:0" value="00:02:48.075"' in page and 'name="time:1" value=""' in page
    assert f'href="/dashboard/videos/{hands.video.pk}/?t=168" data-seek="168.075">2:48' in page
    assert page.count("data-film>") == 1 and 'name="time:root"' not in page and "data-take-time" in page
    assert '<g class="drawing__node drawing__node--1" data-seek="168.075"><title>Cherry (2:48)' in page
    assert '<g class="drawing__node drawing__node--1"><title>Cup</title>' in page, "without a time nothing to play"
    assert hands.get("export/opml/").status_code == 200
    text = hands.get("export/outline/")
    assert "- Cherry [00:02:48.075]" in text.content.decode() and text["Content-Disposition"].endswith('.outline.txt"')


def test_an_outline_as_text_is_imported_by_its_name_or_pasted(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": PLATFORM_MAP})
    typed = "- Coffee\n  - Cherry [00:03:00.000]\n    - Harvest [03:10.500]\n  - Cup\n"
    uploaded = SimpleUploadedFile("coffee.outline.txt", typed.encode())
    for fields in ({"file": uploaded}, {"text": typed, "kind": "outline"}):
        assert hands.post("import/", fields, follow=True).status_code == 200
        imported = Version.objects.select_related("blob").latest("pk")
        assert imported.kind == Version.Kind.IMPORTED
        mindmap: Any = get_content(imported.blob)["mindmap"]
        assert mindmap["children"][0]["time"] == "00:03:00.000"


def test_a_time_is_typed_taken_out_and_checked(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": PLATFORM_MAP})
    outline(hands, **{"time:0": "0:03:10", "time:0.0": "", "time:1": "4:05,5", "label:1": "Mug"})
    hands.save()
    assert hands.file["mindmap"] == {
        "theme": "Coffee",
        "children": [
            {"text": "Cherry", "time": "00:03:10.000", "children": [{"text": "Harvest", "children": []}]},
            {"text": "Mug", "children": [], "colour": "#321", "time": "00:04:05.500"},
        ],
    }
    for typed, sentence in (
        ("soon", "“soon” is not a time"),
        ("1:75", "not a time"),
        ("9:59:00", "after the end of the"),
    ):
        refused = outline(hands, **{"time:0": typed, "label:1": "Pot", "node": "0", "do": "delete"})
        assert refused.status_code == 422
        text = one_line(refused.content.decode())
        assert sentence in text and f'value="{typed}"' in text and 'value="Pot"' in text and 'value="Cherry"' in text
        part = hands.part("mindmap/", {"seen": text.split('id="seen-map" value="')[1].split('"')[0], "time:0": typed})
        assert part.status_code == 200 and sentence in one_line(part.content.decode())
    hands.save()
    assert hands.file["mindmap"]["children"][0]["time"] == "00:03:10.000"


def test_a_time_in_the_last_second_of_the_video_is_taken(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": PLATFORM_MAP})
    end = int(hands.video.length or 0)
    last = f"{end // 3600}:{end // 60 % 60:02}:{end % 60:02}"
    assert outline(hands, **{"time:0": f"{last}.999", "time:1": last}).status_code == 200


def test_a_time_that_nobody_changed_stays_as_it_is_written(hands: Hands) -> None:
    odd: Package = {
        "theme": "A",
        "children": [{"text": "B", "time": "2:5 min", "children": []}, {"text": "C", "time": 7}],
    }
    hands.overwrite({**package(), "mindmap": odd})
    page = hands.text("mindmap/")
    assert 'name="time:1" value="00:00:07.000"' in page and 'data-seek="7.000">0:07' in page, "a number of seconds"
    outline(hands, **{"time:0": "2:5 min", "time:1": "00:00:07.000", "label:0": "D"})
    hands.save()
    assert hands.file["mindmap"]["children"] == [
        {"text": "D", "time": "2:5 min", "children": []}, {"text": "C", "time": 7}
    ]  # fmt: skip


def test_import_of_an_outline_lists_every_note_and_what_is_left_out(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": PLATFORM_MAP})
    text = '<opml><body><outline text="Coffee"><outline text="Cup" _note="A mug" mm:icon="1"/></outline></body></opml>'
    page = one_line(hands.post("import/", {"text": text, "kind": "opml"}, follow=True).content.decode())
    assert "A mug" in page and "_note" in page
    assert "no place for it: “Cup”: mm:icon" in page


def test_topics_that_are_added_to_the_platforms_map_have_its_shape(hands: Hands) -> None:
    hands.overwrite({**package(), "mindmap": {"theme": "Coffee", "children": []}})
    outline(hands, node="", do="add_inside")
    outline(hands, node="0", do="add_below")
    outline(hands, node="0", do="add_inside")
    hands.save()
    leaf = {"text": "", "children": []}
    assert hands.file["mindmap"] == {"theme": "Coffee", "children": [{**leaf, "children": [leaf]}, leaf]}


def test_a_version_is_compared_and_restored_whole(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    first = hands.versions[0]
    assert "<del>Edited</del>" in hands.text(f"versions/{first.pk}/?with={hands.versions[1].pk}")
    hands.post(f"versions/{first.pk}/restore/")
    hands.save()
    assert hands.file["questions"][1]["enunciate"] == "Question number 2?"
    assert [v.kind for v in hands.versions] == [Version.Kind.LOADED, Version.Kind.SAVED, Version.Kind.SAVED]


def test_restoring_puts_what_was_typed_aside(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    hands.write(3, "Not sent?")
    hands.post(f"versions/{hands.versions[0].pk}/restore/")
    aside = hands.versions[-1]
    assert aside.kind == Version.Kind.ASIDE
    assert "Not sent?" in str(aside.changes)


def test_at_least_a_hundred_versions_are_kept(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard.ai_content import versions

    assert versions.VERSIONS_MOST >= 100
    monkeypatch.setattr(versions, "VERSIONS_MOST", 3)
    hands.text()
    for number in range(5):
        versions.add_version(hands.document, {**package(), "n": number}, Version.Kind.SAVED)
    assert [get_content(v.blob)["n"] for v in hands.versions] == [2, 3, 4]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("csv", "id,question,answer 1,correct 1\nq-1,New?,Yes,1\n", "Question 1: text changed"),
        ("md", "# Imported\n", "Text of the eBook"),
        ("opml", '<opml><body><outline text="Tea"/></body></opml>', "is called “Tea” now"),
        ("json", '{"questions": []}', "Question 1: deleted"),
    ],
)
def test_an_import_shows_its_differences_before_anything_is_taken_over(
    hands: Hands, kind: str, text: str, expected: str
) -> None:
    answer = hands.post("import/", {"kind": kind, "text": text}, follow=True)
    assert expected in answer.content.decode()
    assert not Draft.objects.exists()
    hands.post(f"versions/{hands.versions[-1].pk}/restore/")
    assert Draft.objects.exists()


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("json", "{", "This is not JSON."),
        ("json", "[]", "not an object"),
        ("csv", "a,b\n1,2\n", "No column is called"),
        ("opml", "<x/>", "This is not OPML."),
        ("", "text", "Choose the file type"),
        ("json", " ", "The file is empty."),
    ],
)
def test_an_import_that_cannot_be_read_says_why_and_keeps_what_was_pasted(
    hands: Hands, kind: str, text: str, reason: str
) -> None:
    answer = hands.post("import/", {"kind": kind, "text": text})
    assert answer.status_code == 422
    assert reason in answer.content.decode()


def test_a_file_beside_pasted_text_is_asked_about(hands: Hands) -> None:
    file = SimpleUploadedFile("en.json", b"{}")
    answer = hands.post("import/", {"file": file, "text": "# pasted"})
    page = unescape(answer.content.decode())
    assert answer.status_code == 422 and "You chose a file and pasted text." in page and "# pasted" in page


def test_export_and_import_unchanged_shows_no_difference(hands: Hands) -> None:
    for kind in ("json", "csv", "md", "opml"):
        file = SimpleUploadedFile(f"en.{kind}", hands.get(f"export/{kind}/").content)
        text = hands.post("import/", {"file": file}, follow=True).content.decode()
        assert "No difference." in text, kind
        assert "another video or language" not in text, kind


def test_import_warns_when_the_file_was_exported_from_another_language(hands: Hands) -> None:
    text = hands.get("export/opml/").content.decode().replace('language="en"', 'language="es"')
    shown = hands.post("import/", {"kind": "opml", "text": text}, follow=True).content.decode()
    assert "another video or language" in shown


def test_a_text_of_2_mb_is_kept_and_sent(hands: Hands) -> None:
    text = "word " * 400_000
    assert hands.part("ebook/", {"part": "text", "abstract": text}).status_code == 200
    hands.save()
    assert hands.file["abstract"] == text


def test_typed_work_survives_a_session_that_ended(hands: Hands, cast: dict[str, Any]) -> None:
    page = f"quiz/questions/{hands.handle(1)}/"
    form = hands.form(page)
    hands.client.post("/sign-out/")
    sign_in = hands.client.post(hands.address(page), {**form, "enunciate": "Typed before?"}, follow=True)
    pending = sign_in.content.decode().split('name="kept" value="')[1].split('"')[0]
    hands.client.post("/sign-in/", {"token": cast["tokens"]["owner"], "kept": pending})
    assert "Typed before?" in hands.client.get(hands.address(page)).content.decode()
    hands.client.post(hands.address(page), {**form, "enunciate": "Typed before?"})
    assert "Typed before?" in hands.client.get(hands.address("quiz/")).content.decode()
