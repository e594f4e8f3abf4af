"""Every version that is installed is pinned, and every pin is bound to the files it may be."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

from tests.supply.audit import judge

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
EVERYTHING, PRODUCTION = ROOT / ".ci" / "requirements.txt", ROOT / "docs" / "deploy" / "requirements.txt"
REQUIREMENT = re.compile(
    r"^([a-z0-9-]+)==([^\s;]+)( ; [^\\]+)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)


def pinned() -> dict[str, str]:
    return dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["constraint-dependencies"])


def hashed(file: Path) -> dict[str, tuple[str, str]]:
    """By name: the version, and the hashes of its files. Nothing else is in the file."""
    text = file.read_text()
    comment, rest = text.split("\n", 1)
    assert comment.startswith("# Made by .ci/hashes") and REQUIREMENT.sub("", rest) == ""
    return {found[1]: (found[2], found[4]) for found in REQUIREMENT.finditer(rest)}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[~=><]", requirement)[0] for requirement in requirements}


def test_hashes_are_of_exactly_the_pinned_versions() -> None:
    assert {name: version for name, (version, _) in hashed(EVERYTHING).items()} == pinned(), "run .ci/hashes"


def test_production_installs_what_the_product_names_and_nothing_of_the_tests() -> None:
    everything, production = hashed(EVERYTHING), hashed(PRODUCTION)
    extras = PROJECT["project"]["optional-dependencies"].values()
    direct = names(PROJECT["project"]["dependencies"]).union(*map(names, extras))
    assert direct <= set(production) and production.items() <= everything.items()
    assert not {"pytest", "ruff", "playwright", "mypy"} & set(production)


def test_no_requirement_names_an_address() -> None:
    for file in (EVERYTHING, PRODUCTION):
        assert not re.search(r"://|--index|--extra-index|--find-links| @ ", file.read_text())


def test_ci_installs_both_by_their_hashes_and_asks_for_vulnerabilities() -> None:
    ci = (ROOT / ".ci" / "run").read_text()
    assert "--require-hashes" in ci and "docs/deploy/requirements.txt .ci/requirements.txt" in ci
    assert "python -m tests.supply.audit" in ci
    for command in ("all", "hashes", "run"):
        subprocess.run(["bash", "-n", f".ci/{command}"], cwd=ROOT, check=True)


def test_a_known_vulnerability_fails_and_a_missing_network_does_not() -> None:
    sound = {"name": "a", "version": "1", "vulns": []}
    skipped = {"name": "b", "skip_reason": "not found"}
    holed = {"name": "c", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}

    def judged(*packages: dict[str, Any], **how: Any) -> tuple[int, str]:
        return judge(json.dumps({"dependencies": packages}), **how)

    assert judged(sound, skipped) == (0, "No known vulnerability in 1 of 2 packages.")
    assert judged(sound, holed) == (1, "Known vulnerabilities:\nc 2: X-1, fixed in 3")
    assert judged(sound, holed, accepted={"X-1": "not reached by us"})[0] == 0
    for nothing in (judged(skipped), judge(""), judge("Traceback …")):
        assert nothing == (0, "Advisories could not be reached: nothing was audited.")
