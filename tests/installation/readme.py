"""The production commands as they stand in README, so that what people copy is what is tried."""

import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^\*\*(?P<name>\w+)\*\*(?:(?!^\*\*).)*?^```\n(?P<commands>.*?)^```$", re.MULTILINE | re.DOTALL)


def production_blocks() -> dict[str, str]:
    """The shell of each step of *Run it in production*: `Install` and `Run`."""
    section = (ROOT / "README.md").read_text().split("\n## Run it in production\n")[1].split("\n## ")[0]
    return {match["name"]: match["commands"] for match in BLOCK.finditer(section)}


def copy_as_cloned(target: Path) -> Path:
    """The project as a fresh clone has it: what git knows or would add, and nothing that tools made."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in names:
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target
