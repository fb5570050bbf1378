"""The results document, schema 3: one file a component, whose sections are measured apart and keep each other."""
import json
import os
import re
import tempfile

from valgrind import Trouble

SCHEMA = 3


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as fault:
        raise Trouble(f"{path} cannot be read: {fault.strerror}") from None
    except ValueError as fault:
        raise Trouble(f"{path} is not JSON: {fault}") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise Trouble(f"{path} is not a results document of schema {SCHEMA}")
    return document


def version_of(header):
    numbers = dict(re.findall(r"^#define WEIR_VERSION_(MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE))
    try:
        return ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))
    except KeyError:
        raise Trouble("the version header does not define the version") from None


def with_code(old, crate, version, core_version, date, environment, rows):
    """The document `old` (None: there is none) with this code section. What else was measured stays, with its own date."""
    measured = {"crate_version": version, "core_version": core_version, "measured_at": date}
    others = {k: v for k, v in (old or {}).items() if k not in ("code", "code_measured")}
    if others.get("scenarios") or others.get("throughput"):
        # The comparison's date and versions stand at the top; its facts of the machine are not this run's to change.
        return {**others, "environment": {**environment, **others.get("environment", {}), "valgrind": environment["valgrind"]},
                "code": rows, "code_measured": {**measured, "environment": environment}}
    return {**others, "schema": SCHEMA, "crate": crate, **measured, "environment": environment, "code": rows,
            "code_measured": measured}


def write(path, document):
    """All of it or nothing: a run that is interrupted leaves the old file."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        os.makedirs(folder, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".results-", suffix=".json")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(document, file, indent=2, ensure_ascii=False)
                file.write("\n")
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as fault:
        raise Trouble(f"{path} cannot be written: {fault.strerror}") from None
