"""python -m tests.capacity: the tables of docs/scale.md, of a day of 1,000 accounts and 100,000 watchers."""

import sys

from tests.capacity.report import report

if __name__ == "__main__":
    sys.stdout.write(report())
