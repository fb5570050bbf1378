import unittest

import support  # noqa: F401
import code_cost
from valgrind import Trouble

JSON = {"program": "json", "name": "consume, JSON", "target": {"instructions": 300, "allocations": 0},
        "limit": {"steady": 0, "cold": 20}}
BATCH = {"program": "batch", "name": "batch", "limit": {"steady": 0.016, "cold": 30}, "note": "a note"}


def row(name="consume, JSON", instructions=257.0, messages=1000, gated=True, allocations=0, cold=(5440, 14)):
    return {"name": name, "messages": messages, "framework": {"instructions": instructions, "allocations": allocations},
            "cold": {"instructions": cold[0], "allocations": cold[1]}, "gated": gated, "pool_bytes": 70000}


class a_number(unittest.TestCase):
    def test_has_one_decimal_from_one_on_and_three_below(self):
        self.assertEqual(code_cost.shown(257.04), 257)
        self.assertEqual(code_cost.shown(257.06), 257.1)
        self.assertEqual(code_cost.shown(0.0156), 0.016)
        self.assertEqual(code_cost.shown(0.0), 0)
        self.assertEqual(code_cost.shown(-0.0004), 0)


class a_row(unittest.TestCase):
    def test_is_the_slope_of_two_runs_and_the_total_of_the_first(self):
        r = code_cost.row(JSON, 1000, (5440, 262144, 519144), (14, 14, 14), 70000)
        self.assertEqual(r["framework"], {"instructions": 257, "allocations": 0})
        self.assertEqual(r["cold"], {"instructions": 5440, "allocations": 14})
        self.assertEqual((r["name"], r["messages"], r["gated"], r["pool_bytes"]), ("consume, JSON", 1000, True, 70000))
        self.assertNotIn("note", r)

    def test_keeps_its_note(self):
        self.assertEqual(code_cost.row(BATCH, 10, (1, 2, 3), (0, 0, 0), 0)["note"], "a note")

    def test_without_a_limit_is_not_gated(self):
        self.assertFalse(code_cost.row({"name": "x"}, 10, (1, 2, 3), (0, 0, 0), 0)["gated"])


class the_guards(unittest.TestCase):
    def refused(self, *totals):
        with self.assertRaises(Trouble) as raised:
            code_cost.check_runs("json", 1000, *totals, 50)
        return str(raised.exception)

    def test_accept_a_sound_measurement(self):
        code_cost.check_runs("json", 1000, 5440, 262144, 519144, 50)

    def test_refuse_a_start_that_costs_nothing(self):
        self.assertIn("a run of one message", self.refused(999, 262144, 519144))

    def test_refuse_a_base_that_is_too_small(self):
        self.assertIn("a run of 1000 messages took 49999 instructions", self.refused(5440, 49999, 519144))

    def test_refuse_a_double_run_that_is_too_small(self):
        self.assertIn("a run of 2000 messages took 99999 instructions", self.refused(5440, 98000, 99999))

    def test_refuse_a_longer_run_that_is_not_dearer(self):
        self.assertIn("must cost more", self.refused(5440, 519144, 519144))
        self.assertIn("must cost more", self.refused(5440, 519145, 519144))


class the_limit_of_heap_blocks(unittest.TestCase):
    def test_holds_for_every_run(self):
        self.assertEqual(code_cost.block_breaches(JSON, 1000, (20, 20, 20)), [])
        breaches = code_cost.block_breaches(JSON, 1000, (20, 20, 21))
        self.assertEqual(len(breaches), 1)
        self.assertEqual(breaches[0], "'consume, JSON': 21 for 2000 messages are more heap blocks than the limit of 20 "
                                      "(20 cold, 0 a message)")
        self.assertIn("21 for 1, 22 for 1000, 23 for 2000 messages", code_cost.block_breaches(JSON, 1000, (21, 22, 23))[0])

    def test_grows_with_what_is_allowed_for_a_message(self):
        self.assertEqual(code_cost.block_breaches(BATCH, 1000, (30, 46, 62)), [])
        self.assertEqual(len(code_cost.block_breaches(BATCH, 1000, (30, 46, 63))), 1)

    def test_is_asked_of_gated_rows_only(self):
        self.assertEqual(code_cost.block_breaches({"name": "x"}, 1000, (9000, 9000, 9000)), [])


class the_gate_of_instructions(unittest.TestCase):
    def gate(self, now, was):
        return code_cost.instruction_breaches([row(instructions=now)], {"code": [row(instructions=was)]})

    def test_allows_two_percent(self):
        self.assertEqual(self.gate(255, 250), [])
        self.assertEqual(self.gate(100, 250), [])

    def test_refuses_more(self):
        self.assertEqual(self.gate(255.1, 250), ["'consume, JSON': 255.1 instructions a message, 250 in the baseline "
                                                 "(+2.0 %, 2 % are allowed)"])

    def test_lists_all_breaches(self):
        rows = [row("a", 400), row("b", 300), row("c", 301)]
        self.assertEqual(len(code_cost.instruction_breaches(rows, {"code": [row("a", 300), row("b", 300), row("c", 200)]})), 2)

    def test_refuses_a_row_that_the_baseline_lacks_or_counted_otherwise(self):
        self.assertIn("no such row", code_cost.instruction_breaches([row()], {})[0])
        self.assertIn("counted 10 messages", code_cost.instruction_breaches([row()], {"code": [row(messages=10)]})[0])

    def test_leaves_ungated_rows_alone(self):
        self.assertEqual(code_cost.instruction_breaches([row(gated=False)], {}), [])

    def test_is_not_for_another_build(self):
        facts = {"compiler": "g++ 12.2.0", "compiler_flags": "-O2", "profile": "Release"}
        self.assertEqual(code_cost.incomparable(facts, {"environment": dict(facts)}), [])
        self.assertEqual(code_cost.incomparable(facts, {"environment": {**facts, "compiler_flags": "-O3"}}),
                         ["compiler_flags is '-O2', in the baseline '-O3'"])
        self.assertIn("compiler is 'g++ 12.2.0', in the baseline 'unknown'", code_cost.incomparable(facts, {}))


class the_table(unittest.TestCase):
    def test_shows_targets_and_marks_what_misses_them(self):
        rows = [row(), row("consume, JSON", 1300.5, allocations=0.5), row("free", 12.3)]
        text = code_cost.table(rows, [JSON]).splitlines()
        self.assertEqual(text[1].split(), ["consume,", "JSON", "257.0", "300", "0", "0", "5,440", "14", "69", "KiB"])
        self.assertEqual(text[2].split(), ["consume,", "JSON", "1,300.5", "!", "300", "0.5", "!", "0", "5,440", "14", "69", "KiB"])
        self.assertEqual(text[3].split(), ["free", "12.3", "0", "5,440", "14", "69", "KiB"])


if __name__ == "__main__":
    unittest.main()
