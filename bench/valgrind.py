"""One counted run of one program: starts valgrind, reads what it wrote. The only numbers that leave here lie inside the
frame REGION."""
import json
import os
import re
import shutil
import subprocess
import tempfile

REGION = "weir_bench_region"
# The default, 12, loses the blocks that are taken deep inside a handler.
CALLERS = 128


class Trouble(Exception):
    """One sentence for the person at the terminal."""


def version():
    if shutil.which("valgrind") is None:
        raise Trouble("valgrind is not installed: `./dev setup` installs it")
    return subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip().removeprefix("valgrind-")


def instructions_in(text, who):
    """The sum of a callgrind output file that was collected inside REGION only."""
    if not re.search(rf"^c?fn=\(\d+\) {REGION}$", text, re.MULTILINE):
        raise Trouble(f"{who} never entered {REGION}: the counted function is missing, cloned or inlined")
    if not re.search(r"^events: Ir\b", text, re.MULTILINE):
        raise Trouble(f"{who}: callgrind's output does not count instructions (no `events: Ir` line)")
    sums = re.findall(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    if not sums:
        raise Trouble(f"{who}: callgrind's output has no sum; the run was cut off")
    return int(sums[-1])


def blocks_in(text, who):
    """Heap blocks, by malloc or new alike, that were taken below REGION according to a DHAT output file."""
    try:
        document = json.loads(text)
        frames, points = document["ftbl"], document["pps"]
        inside = {i for i, frame in enumerate(frames) if re.search(rf": {REGION} \(", frame + " (")}
        blocks = sum(point["tbk"] for point in points if not inside.isdisjoint(point["fs"]))
    except (ValueError, KeyError, TypeError) as fault:
        raise Trouble(f"{who}: DHAT's output is not what DHAT 2 writes ({type(fault).__name__}: {fault})") from None
    return blocks


def report_in(text, who):
    """What the program said itself, in its last line."""
    lines = text.strip().splitlines()
    try:
        report = json.loads(lines[-1])
        return {"handled": int(report["handled"]), "pool_bytes": int(report["pool_bytes"])}
    except (IndexError, ValueError, KeyError, TypeError):
        raise Trouble(f"{who} did not report what it handled") from None


def _run(tool_arguments, program, arguments, out_option):
    who = f"{os.path.basename(program)} {' '.join(arguments)}"
    if not os.access(program, os.X_OK):
        raise Trouble(f"{os.path.basename(program)} has not been built")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
        file = os.path.join(folder, "out")
        # A fixed, small environment: its strings lie on the stack of the program and move what it costs to start.
        run = subprocess.run(["valgrind", "--quiet", *tool_arguments, f"{out_option}={file}", program, *arguments],
                             capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, cwd=folder,
                             env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"})
        if run.returncode != 0:
            last = (run.stderr.strip().splitlines() or ["it said nothing"])[-1]
            how = f"signal {-run.returncode}" if run.returncode < 0 else f"status {run.returncode}"
            raise Trouble(f"{who} ended with {how} under {tool_arguments[0].partition('=')[2]}: {last}")
        try:
            with open(file, encoding="utf-8", errors="replace") as written:
                text = written.read()
        except OSError:
            raise Trouble(f"{who}: {tool_arguments[0].partition('=')[2]} wrote nothing") from None
    return text, report_in(run.stdout, who), who


def count_instructions(program, arguments):
    text, report, who = _run(["--tool=callgrind", "--collect-atstart=no", f"--toggle-collect={REGION}"], program,
                             arguments, "--callgrind-out-file")
    return instructions_in(text, who), report


def count_blocks(program, arguments):
    text, report, who = _run(["--tool=dhat", f"--num-callers={CALLERS}"], program, arguments, "--dhat-out-file")
    return blocks_in(text, who), report
