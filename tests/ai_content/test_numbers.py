"""Numbers in addresses and forms: the digits 0 to 9, up to what a row's key can be."""

import pytest
from django.test import Client

from dashboard.shared.http import ROW_MOST, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), (str(ROW_MOST), ROW_MOST), (str(ROW_MOST + 1), None), ("", None), ("+1", None), ("1_0", None)],
)
def test_a_number_is_read_up_to_the_most_there_is(text: str, number: int | None) -> None:
    assert whole_number(text, ROW_MOST) == number


@pytest.mark.django_db(databases=["default", "sandbox"])
@pytest.mark.parametrize("typed", ["²", "٣", "9" * 5_000, "-1", "1.0"])
def test_what_is_no_number_is_never_read_as_one(owner: Client, cast: dict[str, dict[str, str]], typed: str) -> None:
    base = f"/dashboard/ai-content/{cast['videos']['with_ai_content']}/pt-BR"
    quiz = owner.get(f"{base}/quiz/").content.decode()
    handle = quiz.split("/quiz/questions/")[1].split("/")[0]
    asked = [
        owner.get("/dashboard/ai-content/", {"page": typed}),
        owner.get(f"{base}/mindmap/", {"at": typed, "from": typed}),
        owner.get(f"{base}/export/json/", {"version": typed}),
        owner.post(f"{base}/undo/", {"step": typed, "block": "quiz"}),
        owner.post(f"{base}/quiz/preview/", {"a0": typed}),
        owner.post(f"{base}/quiz/questions/{handle}/", {"option": typed, "text": "a", "do": f"delete:{typed}"}),
        owner.post(f"{base}/quiz/questions/{handle}/move/", {"to": typed}),
        *(owner.get(f"/dashboard/{place}/", {"page": typed}) for place in ("subtitles", "custom-fields", "assistants")),
    ]
    assert [answer.status_code for answer in asked if answer.status_code >= 500] == []
