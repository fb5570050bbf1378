"""From counted runs to what a message costs, and whether that is too much."""
import math

from valgrind import Trouble


def shown(x):
    """Rounded as it is published: three decimals below 1, else one; whole numbers without a point."""
    x = round(x, 3 if abs(x) < 1 else 1)
    return int(x) if x == int(x) else x


def check_runs(name, messages, first, base, twice, least):
    """The totals of runs of 1, M and 2M messages: numbers that can only come from a broken measurement are an error.
    `least` is the number of instructions that no message of the component can do with."""
    if first < 1000:
        raise Trouble(f"'{name}': a run of one message took {first} instructions; the counted function was not entered "
                      "as it should be")
    for run, count in ((messages, base), (2 * messages, twice)):
        if count < least * run:
            raise Trouble(f"'{name}': a run of {run} messages took {count} instructions, under {least} a message; "
                          "the counted function was left too early")
    if twice <= base:
        raise Trouble(f"'{name}': {2 * messages} messages took {twice} instructions and {messages} took {base}; "
                      "the longer run must cost more")


def row(declared, messages, instructions, blocks, pool_bytes):
    """One row of the results. `instructions` and `blocks` are the totals of runs of 1, M and 2M messages."""
    result = {
        "name": declared["name"],
        "messages": messages,
        "framework": {"instructions": shown((instructions[2] - instructions[1]) / messages),
                      "allocations": shown((blocks[2] - blocks[1]) / messages)},
        "cold": {"instructions": instructions[0], "allocations": blocks[0]},
        "gated": "limit" in declared,
        "pool_bytes": pool_bytes,
    }
    if "note" in declared:
        result["note"] = declared["note"]
    return result


def block_breaches(declared, messages, blocks):
    """Whether a run took more heap blocks than the row declares: cold, and so many for every message. One sentence a row."""
    if "limit" not in declared:
        return []
    steady, cold = declared["limit"]["steady"], declared["limit"]["cold"]
    most = cold + math.ceil(steady * 2 * messages)
    over = [f"{taken} for {n}" for n, taken in zip((1, messages, 2 * messages), blocks) if taken > most]
    if not over:
        return []
    return [f"'{declared['name']}': {', '.join(over)} messages are more heap blocks than the limit of {most} "
            f"({cold} cold, {steady} a message)"]


ALLOWED_PERCENT = 2.0


def instruction_breaches(rows, baseline):
    """Rows that cost over 2 % more than the same row of the baseline, and gated rows that it lacks."""
    breaches = []
    before = {old["name"]: old for old in baseline.get("code", [])}
    for new in rows:
        if not new["gated"]:
            continue
        old = before.get(new["name"])
        if old is None:
            breaches.append(f"'{new['name']}': the baseline has no such row")
            continue
        if old.get("messages") != new["messages"]:
            breaches.append(f"'{new['name']}': the baseline counted {old.get('messages')} messages, this run {new['messages']}")
            continue
        was, now = old["framework"]["instructions"], new["framework"]["instructions"]
        percent = (now - was) / was * 100 if was > 0 else 0.0
        if percent > ALLOWED_PERCENT:
            breaches.append(f"'{new['name']}': {now} instructions a message, {was} in the baseline (+{percent:.1f} %, "
                            f"{ALLOWED_PERCENT:g} % are allowed)")
    return breaches


COMPARABLE = ("compiler", "compiler_flags", "linker_flags", "profile", "standard_library", "allocator", "architecture")


def incomparable(environment, baseline):
    """What differs between the builds so that instructions must not be compared; empty: nothing."""
    old = baseline.get("environment", {})
    return [f"{key} is '{environment.get(key, 'unknown')}', in the baseline '{old.get(key, 'unknown')}'"
            for key in COMPARABLE
            if environment.get(key, "unknown") != old.get(key, "unknown")]


def table(rows, declared):
    """The rows as text, the targets beside them; a number that misses its target is marked."""
    targets = {d["name"]: d.get("target", {}) for d in declared}

    def against(value, target):
        if target is None:
            return f"{value:,}", ""
        return f"{value:,}{'' if value <= target else ' !'}", f"{target:,}"

    lines = [("scenario", "Ir/msg", "target", "blocks/msg", "target", "cold Ir", "target", "cold blocks", "target", "pools")]
    for r in rows:
        t = targets.get(r["name"], {})
        lines.append((r["name"],
                      *against(r["framework"]["instructions"], t.get("instructions")),
                      *against(r["framework"]["allocations"], t.get("allocations")),
                      *against(r["cold"]["instructions"], t.get("cold_instructions")),
                      *against(r["cold"]["allocations"], t.get("cold_allocations")),
                      f"{(r['pool_bytes'] + 1023) // 1024:,} KiB"))
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(widths[0]) if i == 0 else cell.rjust(widths[i])
                               for i, cell in enumerate(line)).rstrip() for line in lines)
