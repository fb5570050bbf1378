"""`python3 -B bench/tests`: all tests of the harness; the last line is their sum."""
import os
import sys
import unittest

import support

if __name__ == "__main__":
    suite = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(support.__file__)))
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    sys.exit(1 if failed or result.testsRun == 0 else 0)
