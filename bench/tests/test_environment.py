import unittest

import support  # noqa: F401
import environment

CPUINFO = """\
processor\t: 0
model name\t: Some  CPU @ 2.60GHz
physical id\t: 0
core id\t\t: 0
flags\t\t: fpu sse2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave

processor\t: 1
model name\t: Some  CPU @ 2.60GHz
physical id\t: 0
core id\t\t: 0
flags\t\t: fpu sse2
"""

CACHE = """\
# a comment
//Another
CMAKE_BUILD_TYPE:STRING=Release
CMAKE_CXX_COMPILER:FILEPATH=
CMAKE_CXX_FLAGS:STRING=
CMAKE_CXX_FLAGS_RELEASE:STRING=-O2  -DNDEBUG
CMAKE_EXE_LINKER_FLAGS:STRING=-Wl,-z,now
"""

DMI = """\
Memory Device
\tType: Unknown
\tSpeed: Unknown
Memory Device
\tType: DDR5
\tSpeed: 4800 MT/s
\tConfigured Memory Speed: 6000 MT/s
"""


class the_machine(unittest.TestCase):
    def test_is_described(self):
        self.assertEqual(environment.cpu_of(CPUINFO), "Some CPU @ 2.60GHz")
        self.assertEqual(environment.cores_of(CPUINFO), "1 cores, 2 logical")
        self.assertEqual(environment.memory_of("MemTotal:       24117248 kB\n"), "23.0 GiB")
        self.assertEqual(environment.memory_speed_of(DMI), "DDR5, 4800 MT/s, configured 6000 MT/s")

    def test_has_the_level_of_which_all_flags_are_there(self):
        self.assertEqual(environment.architecture_of("x86_64", CPUINFO), "x86_64 (x86-64-v3)")
        self.assertEqual(environment.architecture_of("x86_64", CPUINFO.replace(" ssse3", "")), "x86_64")
        self.assertEqual(environment.architecture_of("aarch64", CPUINFO), "aarch64")

    def test_is_unknown_where_it_does_not_tell(self):
        for what in (environment.cpu_of(""), environment.cores_of(""), environment.memory_of(""),
                     environment.memory_speed_of(""), environment.frequency_of("/nonexistent"),
                     environment.standard_library_of("")):
            self.assertEqual(what, "unknown")
        self.assertEqual(environment.architecture_of("x86_64", ""), "x86_64")


class the_build(unittest.TestCase):
    def test_is_that_of_the_cache(self):
        build = environment.build_of(environment.cache_of(CACHE))
        self.assertEqual(build, {"compiler": "unknown", "compiler_flags": "-std=c++20 -O2 -DNDEBUG",
                                 "linker_flags": "-Wl,-z,now", "standard_library": "unknown", "profile": "Release"})

    def test_names_its_standard_library(self):
        self.assertEqual(environment.standard_library_of("#define __GLIBCXX__ 20220819\n#define _GLIBCXX_RELEASE 12\n"),
                         "libstdc++ 12 (20220819)")
        self.assertEqual(environment.standard_library_of("#define _LIBCPP_VERSION 190100\n"), "libc++ 190100")


class all_of_it(unittest.TestCase):
    def test_has_what_readers_of_the_document_require(self):
        facts = environment.gather("/nonexistent", "3.19.0")
        for key in ("cpu", "architecture", "cpu_frequency", "cores", "memory", "memory_speed", "os", "rustc", "valgrind",
                    "compiler", "compiler_flags", "linker_flags", "standard_library", "allocator", "profile"):
            self.assertIsInstance(facts[key], str, key)
            self.assertTrue(facts[key], key)
        self.assertEqual(facts["rustc"], "none: C++")
        self.assertEqual(facts["valgrind"], "3.19.0")

    def test_takes_the_memory_speed_from_an_older_run_on_the_same_machine_only(self):
        facts = environment.gather("/nonexistent", "3.19.0")
        if facts["memory_speed"] != "unknown":
            self.skipTest("this machine tells the speed of its memory")
        same = {**facts, "memory_speed": "DDR5, 4800 MT/s"}
        self.assertEqual(environment.gather("/nonexistent", "3.19.0", same)["memory_speed"], "DDR5, 4800 MT/s")
        other = {**same, "cpu": "another"}
        self.assertEqual(environment.gather("/nonexistent", "3.19.0", other)["memory_speed"], "unknown")


if __name__ == "__main__":
    unittest.main()
