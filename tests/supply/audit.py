"""python -m tests.supply.audit: asks for known vulnerabilities of every pinned version.

A known one fails. Where the advisories cannot be reached, which is not the project's fault, it says so and ends well.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PINNED = ".ci/requirements.txt"
TOOL = "pip-audit==2.10.1"
ACCEPTED: dict[str, str] = {}
"""Ids of advisories that do not concern us, each with the reason."""


def judge(printed: str, accepted: dict[str, str] = ACCEPTED) -> tuple[int, str]:
    """The exit code and the sentence for what pip-audit printed as JSON, or for what is none."""
    try:
        packages = json.loads(printed)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return 0, "Advisories could not be reached: nothing was audited."
    found = [
        f"{package['name']} {package['version']}: {advisory['id']}, fixed in {', '.join(advisory['fix_versions']) or 'none'}"
        for package in packages
        for advisory in package.get("vulns", [])
        if advisory["id"] not in accepted
    ]
    if found:
        return 1, "\n".join(["Known vulnerabilities:", *sorted(found)])
    audited = [package for package in packages if "vulns" in package]
    if not audited:
        return 0, "Advisories could not be reached: nothing was audited."
    return 0, f"No known vulnerability in {len(audited)} of {len(packages)} packages."


def main() -> int:
    """Run pip-audit over the committed hashes; it installs nothing."""
    command = ["uvx", "-q", TOOL, "-r", PINNED, "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
    try:
        asked = subprocess.run([*command, "-f", "json"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        printed = ""
    else:
        printed = asked.stdout
    code, sentence = judge(printed)
    sys.stdout.write(f"{sentence}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
