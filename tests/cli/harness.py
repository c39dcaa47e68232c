"""What the tests of the command line share. Each is run as: X_test.py EXECUTABLE SOURCE_DIR [unittest's arguments]"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

VIETA = str(pathlib.Path(sys.argv.pop(1)).resolve())
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*arguments, stdin="", **options):
    return subprocess.run([VIETA, *arguments], input=stdin, capture_output=True, text=True, check=False, **options)


def shell(command):
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env={**os.environ, "V": VIETA})


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def file(self, name, text):
        path = self.path / name
        path.write_text(text)
        return str(path)

    def decay(self):
        y = (4.7, 3.72, 3.05, 2.52, 2.1, 1.85, 1.6, 1.44, 1.34, 1.25, 1.2, 1.13)
        return self.file("decay.csv", "x,y\n" + "".join(f"{x + 1},{v}\n" for x, v in enumerate(y)))

    def assert_error(self, done, code, *parts):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        first = done.stderr.splitlines()[0]
        self.assertTrue(first.startswith("vieta: error: "), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
