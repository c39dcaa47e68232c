"""The gates find what they are there to find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("LAYERS", "low 0\nleft 1 low\nright 1 low\nhigh 2 low left\n")
        for room in ("low", "left", "right", "high"):
            self.write(f"src/{room}/README.md", "# room\n")
        self.write("include/vieta/all.h", '#include "high/h.h"\n')
        self.write("src/high/h.h", '#include <vector>\n#include "left/l.h"\n#include "high/other.h"\n')

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_tool(self, tool):
        done = subprocess.run([sys.executable, str(TOOLS / tool), str(self.root)], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def assert_fault(self, tool, text):
        code, out = self.run_tool(tool)
        self.assertEqual(code, 1, out)
        self.assertIn(text, out)


class Layers(Tree):
    def test_a_good_tree_passes(self):
        self.assertEqual(self.run_tool("check_layers"), (0, ""))

    def test_an_arrow_upwards_fails(self):
        self.write("src/low/a.cc", '// first\n#include "high/h.h"\n')
        self.assert_fault("check_layers", "src/low/a.cc:2: low (level 0) includes high (level 2)")

    def test_an_arrow_sideways_fails(self):
        self.write("src/left/a.h", '#include "right/r.h"\n')
        self.assert_fault("check_layers", "left (level 1) includes right")

    def test_an_arrow_downwards_without_a_grant_fails(self):
        self.write("src/high/a.h", '#include "right/r.h"\n')
        self.assert_fault("check_layers", "which LAYERS does not grant it")

    def test_a_grant_of_a_room_beside_fails(self):
        self.write("LAYERS", "low 0\nleft 1 low\nright 1 low left\nhigh 2 low left\n")
        self.assert_fault("check_layers", "right (level 1) is granted left (level 1)")

    def test_a_relative_include_fails(self):
        self.write("src/left/a.h", '#include "../low/b.h"\n')
        self.assert_fault("check_layers", "names no room")
        self.write("src/left/a.h", '#include "b.h"\n')
        self.assert_fault("check_layers", "names no room")

    def test_a_room_without_a_line_or_a_readme_fails(self):
        self.write("src/stray/a.h", "")
        self.assert_fault("check_layers", "src/stray: a room without a line")
        self.write("src/stray/README.md", "")
        (self.root / "src/left/README.md").unlink()
        self.assert_fault("check_layers", "src/left: no README.md")

    def test_a_long_readme_fails(self):
        self.write("src/left/README.md", "line\n" * 41)
        self.assert_fault("check_layers", "more than 40 lines")


class Text(Tree):
    def test_a_good_tree_passes(self):
        self.assertEqual(self.run_tool("check_text"), (0, ""))

    def test_a_machine_path_fails(self):
        self.write("notes.md", "see /home/someone/file\n")
        self.assert_fault("check_text", "notes.md:1: a path of one machine")

    def test_a_tab_and_trailing_blanks_fail(self):
        self.write("src/low/a.cc", "int x;\t// tab\nint y; \n")
        self.assert_fault("check_text", "src/low/a.cc:1: a tab")
        self.assert_fault("check_text", "src/low/a.cc:2: blanks")

    def test_a_very_long_file_fails(self):
        self.write("src/low/a.cc", "int x;\n" * 701)
        self.assert_fault("check_text", "701 lines")


if __name__ == "__main__":
    unittest.main()
