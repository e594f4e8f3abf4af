"""`manage.py cast`: JSON and nothing else, every role there, on a fresh clone too."""

import json
import os
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import call_command

from dashboard.sandbox.transport import SandboxTransport
from tests.bytecode import KEPT

ROOT = Path(__file__).resolve().parent.parent.parent
ROLES = {
    "tokens": "owner sub_account trial no_permission inactive",
    "videos": "plain with_subtitles with_ai_content other_account",
    "external_ids": "plain with_subtitles with_ai_content other_account",
    "review_links": "open view_only no_status_edit hidden_resolved expired inactive full",
    "ab_tests": "draft in_progress completed",
    "lives": "scheduled unscheduled online",
    "funnels": "main",
    "folders": "root nested inactive",
    "playlists": "own other_account",
    "custom_fields": "color",
    "assistants": "main",
}


@pytest.fixture
def cast(db: None) -> dict[str, Any]:
    out = StringIO()
    call_command("cast", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


@pytest.fixture
def owner(cast: dict[str, Any]) -> httpx.Client:
    return client(cast["tokens"]["owner"])


def client(token: str) -> httpx.Client:
    headers = {"authorization": token}
    return httpx.Client(transport=SandboxTransport(), base_url="http://platform.internal/sandbox/", headers=headers)


pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_every_fixed_role_is_cast(cast: dict[str, Any]) -> None:
    for part, names in ROLES.items():
        assert set(names.split()) <= set(cast[part]), part
    assert cast["pullzone"].startswith("vz-")


def test_every_value_is_text_and_no_two_roles_share_one(cast: dict[str, Any]) -> None:
    for part, names in ROLES.items():
        values = [cast[part][name] for name in names.split()]
        assert all(isinstance(value, str) and value for value in values)
        assert len(set(values)) == len(values)


def test_printing_it_again_prints_the_same(cast: dict[str, Any]) -> None:
    out = StringIO()
    call_command("cast", indent=0, stdout=out)
    assert json.loads(out.getvalue()) == cast


@pytest.mark.parametrize("role", ROLES["tokens"].split())
def test_every_token_signs_in(cast: dict[str, Any], role: str) -> None:
    assert client(cast["tokens"][role]).get("api/videos").status_code == 200


def test_owner_reaches_own_records_by_the_printed_ids(cast: dict[str, Any], owner: httpx.Client) -> None:
    paths = [f"api/videos/{cast['videos'][role]}" for role in ("plain", "with_subtitles", "with_ai_content")]
    paths += [f"api/comparison/{cast['ab_tests'][role]}" for role in ROLES["ab_tests"].split()]
    paths += [f"api/lives/{cast['lives'][role]}" for role in ROLES["lives"].split()]
    paths += [f"api/funnels/{cast['funnels']['main']}", f"api/playlists/{cast['playlists']['own']}"]
    token = cast["reviewers"]["open"]
    paths += [f"api/public-video-review/{link}?token={token}" for link in cast["review_links"].values()]
    for path in paths:
        assert owner.get(path).status_code == 200, path


def test_owner_does_not_reach_the_other_account(cast: dict[str, Any], owner: httpx.Client) -> None:
    assert owner.get(f"api/videos/{cast['videos']['other_account']}").status_code == 404
    assert owner.delete(f"api/playlists/{cast['playlists']['other_account']}").status_code == 500


def test_external_ids_and_pullzone_lead_to_the_public_files(cast: dict[str, Any], owner: httpx.Client) -> None:
    external = cast["external_ids"]
    base = f"config/{cast['pullzone']}/{external['with_ai_content']}-ai"
    assert owner.get(f"{base}.pt-BR.json").json()["questions"]
    assert owner.get(f"{base}.en.json").json()["abstract"]
    assert owner.get(f"media/{external['plain']}/film.mp4", headers={"range": "bytes=0-9"}).status_code == 206


def test_custom_field_belongs_to_the_plain_video(cast: dict[str, Any], owner: httpx.Client) -> None:
    fields = owner.get(f"api/videos/{cast['videos']['plain']}?custom_fields").json()
    assert {"color", "mood"} == {field["key"] for field in fields}
    assert cast["custom_fields"]["color"] in {field["id"] for field in fields}


def test_folders_are_at_the_root_nested_and_inactive(cast: dict[str, Any], owner: httpx.Client) -> None:
    active = {one["id"]: one for one in owner.get("api/folders").json()["folders"]}
    assert active[cast["folders"]["root"]]["parent_folder_id"] is None
    middle = active[active[cast["folders"]["nested"]]["parent_folder_id"]]
    assert middle["parent_folder_id"] == cast["folders"]["root"]
    assert cast["folders"]["inactive"] not in active


def test_fresh_clone_prints_json_and_nothing_else(tmp_path: Path) -> None:
    for name in ("dashboard", "review_portal", "templates", "static"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", tmp_path)
    ours = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ} | KEPT
    done = subprocess.run(
        [sys.executable, "manage.py", "cast"], cwd=tmp_path, env=ours, capture_output=True, timeout=60, check=False
    )
    assert done.stderr == b""
    assert done.returncode == 0
    assert set(ROLES) <= set(json.loads(done.stdout))
