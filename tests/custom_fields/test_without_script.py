"""A field is found, saved and put back without script."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.sandbox.models import CustomField, Video
from tests.custom_fields.conftest import work
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_field_is_found_saved_and_put_back(owner: Client, cast: dict[str, Any]) -> None:
    page = PlainBrowser(owner).open("/dashboard/custom-fields/").press("Load more").follow("color")
    page.fill("Value", "verde", near="color").press("Save field : color")
    assert "Saved." in page.text and page.field("Value", near="color").value == "verde"
    assert page.press("Undo").field("Value", near="color").value != "verde"


def test_fields_are_renamed_from_a_file(owner: Client, cast: dict[str, Any]) -> None:
    lessons = Video.objects.filter(pk__in=[cast["videos"][role] for role in ("plain", "reviewed", "with_subtitles")])
    CustomField.objects.bulk_create(CustomField(video=video, key="nivel", value="1") for video in lessons)
    lines = "".join(f"{video.pk},nivel,1,level\r\n" for video in lessons)
    file = SimpleUploadedFile("rename.csv", f"video_id,key,value,new_key\r\n{lines}".encode(), "text/csv")
    page = (
        PlainBrowser(owner).open("/dashboard/custom-fields/changes/").fill("CSV file", file).press("Compare the file")
    )
    assert "This continues automatically. You can close this page." in page.text
    work()
    assert "0 of 3 changes sent." in page.open("").press("Send 3 changes").text
    work()
    assert "Changed: 3. Without difference: 0. Not changed: 0." in page.open("").text
    assert CustomField.objects.filter(video__in=lessons, key="level", value="1").count() == 3
    assert not CustomField.objects.filter(video__in=lessons, key="nivel").exists()
