import json
import unittest

import support  # noqa: F401  (finds the modules under test)
import valgrind
from valgrind import Trouble

CALLGRIND = """\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 4711
cmd:  bin/bench_core_json 1000 16384
part: 1

desc: Trigger: Program termination
positions: line
events: Ir
summary: 262144

ob=(2) bin/bench_core_json
fl=(12) ???
fn=(104) weir_bench_region
0 7
cfn=(106) main::{lambda(void*)#1}::_FUN(void*)
calls=1 0
0 262137

totals: 262144
"""

FRAMES = [
    "[root]",
    "0x4843814: operator new(unsigned long) (in vgpreload_dhat-amd64-linux.so)",
    "0x10C21F: weir::application::start_here() (in bin/bench_core_json)",
    "0x10B6A0: weir_bench_region (in bin/bench_core_json)",
    "0x10A0F1: main (in bin/bench_core_json)",
    "0x10A0F2: void weir::bench::counted<weir_bench_region_like>(int) (in bin/bench_core_json)",
    "0x4840700: malloc (in vgpreload_dhat-amd64-linux.so)",
    "0x10B6A9: weir_bench_region (region.cpp:4)",
]


def dhat(points):
    return json.dumps({"dhatFileVersion": 2, "ftbl": FRAMES,
                       "pps": [{"tb": 64 * n, "tbk": n, "fs": stack} for n, stack in points]})


class instructions(unittest.TestCase):
    def test_are_the_sum_of_the_file(self):
        self.assertEqual(valgrind.instructions_in(CALLGRIND, "json 1000"), 262144)

    def test_need_the_region(self):
        cloned = CALLGRIND.replace("weir_bench_region", "weir_bench_region.constprop.0")
        with self.assertRaisesRegex(Trouble, "^json 1000 never entered weir_bench_region"):
            valgrind.instructions_in(cloned, "json 1000")

    def test_need_a_sum(self):
        with self.assertRaisesRegex(Trouble, "cut off"):
            valgrind.instructions_in(CALLGRIND.replace("totals:", "t:").replace("summary:", "s:"), "json 1000")

    def test_need_the_event(self):
        with self.assertRaisesRegex(Trouble, "does not count instructions"):
            valgrind.instructions_in(CALLGRIND.replace("events: Ir", "events: Bc"), "json 1000")


class blocks(unittest.TestCase):
    def test_below_the_region_count_wherever_it_stands_in_the_stack(self):
        self.assertEqual(valgrind.blocks_in(dhat([(14, [1, 2, 3, 4]), (3, [1, 3])]), "json 1"), 17)

    def test_of_malloc_and_of_new_count_alike(self):
        self.assertEqual(valgrind.blocks_in(dhat([(2, [1, 3]), (5, [6, 3])]), "json 1"), 7)

    def test_with_line_numbers_count_too(self):
        self.assertEqual(valgrind.blocks_in(dhat([(5, [6, 7, 4])]), "json 1"), 5)

    def test_outside_the_region_do_not_count(self):
        self.assertEqual(valgrind.blocks_in(dhat([(1000, [1, 4]), (1, [6])]), "json 1"), 0)

    def test_below_a_function_that_only_has_the_name_in_its_own_do_not_count(self):
        self.assertEqual(valgrind.blocks_in(dhat([(9, [1, 5, 4])]), "json 1"), 0)

    def test_of_a_broken_file_are_an_error(self):
        for text in ("", "{", "[]", '{"pps": []}', '{"ftbl": [], "pps": [{"tbk": 1}]}'):
            with self.assertRaisesRegex(Trouble, "^json 1: DHAT's output"):
                valgrind.blocks_in(text, "json 1")


class the_report_of_a_program(unittest.TestCase):
    def test_is_its_last_line(self):
        said = 'hello\n{"handled": 1000, "pool_bytes": 65536}\n'
        self.assertEqual(valgrind.report_in(said, "json"), {"handled": 1000, "pool_bytes": 65536})

    def test_must_be_there(self):
        for said in ("", "hello\n", '{"handled": 1}\n', '{"handled": "x", "pool_bytes": 1}', "17"):
            with self.assertRaisesRegex(Trouble, "did not report"):
                valgrind.report_in(said, "json")


class a_program(unittest.TestCase):
    def test_that_has_not_been_built_is_an_error(self):
        with self.assertRaisesRegex(Trouble, "^bench_core_nothing has not been built$"):
            valgrind.count_blocks("/nonexistent/bench_core_nothing", ["1"])


if __name__ == "__main__":
    unittest.main()
