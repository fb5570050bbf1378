"""What the numbers were made with. A fact that the machine does not tell is "unknown", never guessed."""
import os
import platform
import re
import subprocess

UNKNOWN = "unknown"

LEVELS = (  # the processor flags that each level adds, under the names of /proc/cpuinfo
    ("x86-64-v2", "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"),
    ("x86-64-v3", "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"),
    ("x86-64-v4", "avx512f avx512bw avx512cd avx512dq avx512vl"),
)


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def said(command, text=None):
    """What a program prints; nothing when it cannot be run, fails, or takes longer than 10 s."""
    try:
        run = subprocess.run(command, input=text if text is not None else "", capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout if run.returncode == 0 else ""


def cpu_of(cpuinfo):
    found = re.search(r"^model name\s*: (.+)$", cpuinfo, re.MULTILINE)
    return " ".join(found[1].split()) if found else UNKNOWN


def architecture_of(machine, cpuinfo):
    """x86-64 with its level, which needs all flags of the levels below it too."""
    if machine != "x86_64":
        return machine or UNKNOWN
    found = re.search(r"^flags\s*:(.*)$", cpuinfo, re.MULTILINE)
    flags = set(found[1].split()) if found else set()
    reached = machine
    for level, needed in LEVELS:
        if not flags.issuperset(needed.split()):
            break
        reached = f"{machine} ({level})"
    return reached


def cores_of(cpuinfo):
    logical = len(re.findall(r"^processor\s*:", cpuinfo, re.MULTILINE))
    if logical == 0:
        return UNKNOWN
    pairs = set(zip(re.findall(r"^physical id\s*: (\d+)", cpuinfo, re.MULTILINE),
                    re.findall(r"^core id\s*: (\d+)", cpuinfo, re.MULTILINE)))
    return f"{len(pairs)} cores, {logical} logical" if pairs else f"{logical} logical"


def frequency_of(folder="/sys/devices/system/cpu/cpu0/cpufreq"):
    def megahertz(name):
        text = read(f"{folder}/{name}").strip()
        return f"{int(text) // 1000} MHz" if text.isdigit() else UNKNOWN
    base, low, high = (megahertz(n) for n in ("base_frequency", "cpuinfo_min_freq", "cpuinfo_max_freq"))
    if {base, low, high} == {UNKNOWN}:
        return UNKNOWN
    return f"base {base}, {low} to {high}"


def memory_of(meminfo):
    found = re.search(r"^MemTotal:\s*(\d+) kB", meminfo, re.MULTILINE)
    return f"{int(found[1]) / 1024 / 1024:.1f} GiB" if found else UNKNOWN


def memory_speed_of(dmidecode):
    """Type and speeds of the first module that says them."""
    for device in dmidecode.split("Memory Device")[1:]:
        kind = re.search(r"^\s*Type: (\S+)$", device, re.MULTILINE)
        speed = re.search(r"^\s*Speed: (\d+ MT/s)$", device, re.MULTILINE)
        configured = re.search(r"^\s*Configured (?:Memory|Clock) Speed: (\d+ MT/s)$", device, re.MULTILINE)
        if kind and kind[1] != "Unknown" and speed:
            return f"{kind[1]}, {speed[1]}" + (f", configured {configured[1]}" if configured else "")
    return UNKNOWN


def standard_library_of(macros):
    """From the preprocessor's macros after <version> was included."""
    def value(name):
        found = re.search(rf"^#define {name} (\S+)$", macros, re.MULTILINE)
        return found[1] if found else None
    if value("_LIBCPP_VERSION"):
        return f"libc++ {value('_LIBCPP_VERSION')}"
    if value("_GLIBCXX_RELEASE"):
        return f"libstdc++ {value('_GLIBCXX_RELEASE')} ({value('__GLIBCXX__') or UNKNOWN})"
    return UNKNOWN


def cache_of(text):
    """The entries of a CMakeCache.txt."""
    return dict(re.findall(r"^([A-Za-z0-9_.-]+):[A-Z]+=(.*)$", text, re.MULTILINE))


def build_of(cache):
    """Compiler, flags and library of a build folder, from its CMake cache."""
    kind = cache.get("CMAKE_BUILD_TYPE", "")
    flags = " ".join(f"{cache.get('CMAKE_CXX_FLAGS', '')} {cache.get(f'CMAKE_CXX_FLAGS_{kind.upper()}', '')}".split())
    linker = " ".join(f"{cache.get('CMAKE_EXE_LINKER_FLAGS', '')} "
                      f"{cache.get(f'CMAKE_EXE_LINKER_FLAGS_{kind.upper()}', '')}".split())
    compiler = cache.get("CMAKE_CXX_COMPILER", "")
    version = said([compiler, "--version"]).splitlines() if compiler else []
    macros = said([compiler, *flags.split(), "-std=c++20", "-E", "-dM", "-x", "c++", "-"], "#include <version>\n") if compiler else ""
    return {
        "compiler": version[0].strip() if version else UNKNOWN,
        "compiler_flags": f"-std=c++20 {flags}".strip(),
        "linker_flags": linker or "none",
        "standard_library": standard_library_of(macros),
        "profile": kind or "none",
    }


def allocator():
    libc, number = platform.libc_ver()
    return f"{libc} {number} malloc" if libc else UNKNOWN


def gather(build_folder, valgrind_version, older=None):
    """`older` is the environment of the document that is being replaced: a memory speed that only root can read is taken from
    it where processor and memory are the same."""
    cpuinfo = read("/proc/cpuinfo")
    system = os.uname()
    result = {
        "cpu": cpu_of(cpuinfo),
        "architecture": architecture_of(system.machine, cpuinfo),
        "cpu_frequency": frequency_of(),
        "cores": cores_of(cpuinfo),
        "memory": memory_of(read("/proc/meminfo")),
        "memory_speed": memory_speed_of(said(["dmidecode", "--type", "17"])),
        "os": f"{system.sysname} {system.release}",
        "rustc": "none: C++",
        "valgrind": valgrind_version,
        **build_of(cache_of(read(os.path.join(build_folder, "CMakeCache.txt")))),
        "allocator": allocator(),
    }
    older = older or {}
    if result["memory_speed"] == UNKNOWN and all(older.get(k) == result[k] for k in ("cpu", "memory")):
        result["memory_speed"] = older.get("memory_speed", UNKNOWN)
    return result
