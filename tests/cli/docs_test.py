"""The examples of docs/fit.md, run: they do what the page prints."""
import re
import shlex
import shutil
import unittest

from harness import SOURCE, Folder, run


def examples(page):
    """Commands, each with the lines printed below it: all up to the next command or paragraph."""
    found = []
    for line in page.splitlines():
        command = re.match(r" {4,}\$ vieta (.*)", line)
        if command:
            found.append((command[1], []))
        elif found and line.startswith("    "):
            found[-1][1].append(line.strip())
        else:
            found.append((None, []))
    return [(command, printed) for command, printed in found if command]


def intervals(lines):
    # Columns are padded to the widest, of which "..." may have left out some.
    return [" ".join(line.split()) for line in lines if "95 %" in line]


class Docs(Folder):
    def test_fits_print_what_the_page_says(self):
        shutil.copytree(SOURCE / "examples", self.path / "examples")
        self.file("new.csv", "t\n0.5\n20\n")
        commands = examples((SOURCE / "docs/fit.md").read_text(encoding="utf-8"))
        self.assertGreater(sum(len(intervals(printed)) for _, printed in commands), 20)
        for command, printed in commands:
            with self.subTest(command):
                done = run(*shlex.split(command), cwd=self.path)
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = done.stdout.splitlines()
                if any("95 %" in line for line in printed):
                    self.assertEqual(intervals(lines), intervals(printed))
                else:
                    self.assertEqual(lines[:len(printed)], printed)


if __name__ == "__main__":
    unittest.main()
