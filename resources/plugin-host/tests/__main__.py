"""Runs all tests: `python -m tests [report.json]`, in the folder above. The report has the counts and the names of what failed."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    sys.path.insert(0, str(ROOT))
    suite = unittest.defaultTestLoader.discover(str(ROOT / "tests"), top_level_dir=str(ROOT))
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = [*result.failures, *result.errors]
    names = [f"{test}: {trace.strip().splitlines()[-1]}" for test, trace in failed] + [str(test) for test in result.unexpectedSuccesses]
    report = {"passed": result.testsRun - len(failed) - len(result.skipped), "failed": len(names), "names": names}
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(report))
    return 1 if names or not result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
