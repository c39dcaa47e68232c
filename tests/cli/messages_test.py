"""What is refused, and how; formats, help and pipes of every verb."""
import csv
import io
import json
import os
import unittest

from harness import Folder, run, shell


class Messages(Folder):
    def test_formulas(self):
        data = self.file("a.csv", "x,y\n1,2\n")
        for formula in ("", "x +", "(x", "x)", "2(x)", "x y", "1..2", "1e", "sin(x, y)", "nosuch(x)", "x < y < 1", "x = 1", "`x", "@@"):
            self.assert_error(run("eval", formula, data), 3 if formula == "@@" else 2)
        done = run("eval", "x + ) y", data)
        self.assertIn("^", done.stderr.splitlines()[-1])
        self.assert_error(run("eval", "x + q", data), 2, "'q'", "--param")

    def test_tables(self):
        cases = {"empty": "", "no rows": "x,y\n", "ragged": "x,y\n1,2\n1\n", "twice": "x,x\n1,2\n", "no name": "x,\n1,2\n"}
        for name, text in cases.items():
            with self.subTest(name):
                self.assert_error(run("eval", "x", self.file("bad.csv", text)), 3, "bad.csv")
        self.assert_error(run("eval", "x", self.file("text.csv", "x,y\n1,2\nabc,4\n")), 3, "row 3", "column 1", "abc")
        self.assert_error(run("eval", "x", self.file("nan.csv", "x\n1\nNaN\n")), 3, "row 3")
        self.assert_error(run("eval", "x", str(self.path / "missing.csv")), 3, "missing.csv")
        # A column nobody uses may hold anything.
        self.assertEqual(run("eval", "x", self.file("ok.csv", "x,name\n1,abc\n")).stdout, "value\n1\n")

    def test_options(self):
        self.assert_error(run(), 2)
        self.assert_error(run("nosuch"), 2)
        self.assert_error(run("eval", "x"), 2)
        self.assert_error(run("eval", "x", "-", "--dtype", "f16"), 2)
        self.assert_error(run("export", "x", "--to", "cobol"), 2)
        data = self.file("a.csv", "x\n1\n")
        self.assert_error(run("eval", "x", data, "--param", "k=1"), 2, "k")
        self.assert_error(run("eval", "k*x", data, "--param", "k=one"), 2, "k=one")
        self.assert_error(run("eval", "x", data, "--define", "sin(x) = x"), 2, "sin")
        self.assert_error(run("eval", "x", data, "--define", "f(x) = f(x)"), 2, "f")

        self.assert_error(run("serch"), 2, "'search'")
        self.assert_error(run("eval", "x", data, "--threads", "1000000"), 2, "--threads")
        self.assert_error(run("eval", "x", data, "--threads", "-1"), 2, "--threads")
        self.assert_error(run("eval", "x", "+", "1", data), 2, "quotes")
        self.assert_error(run("eval", "x", data, "--frob"), 2, "--frob", "vieta eval --help")
        self.assert_error(run("eval", "k*x", data, "--param", "k=1,k=2"), 2, "two values")
        self.assert_error(run("eval", "@" + str(self.path), data), 3)
        self.assert_error(run("predict", str(self.path / "none.json"), data), 3, "none.json")
        self.assert_error(run("predict", data, data), 3, "model.json")
        self.assert_error(run("export", "x", "--to", "c", "--index", "1"), 2, "--index")
        self.assert_error(run("show", "k*x", "--param", "q=1"), 2, "'q'")

    def test_errors_are_one_line_apart_from_a_caret(self):
        data = self.file("a.csv", "x\n1\n")
        for arguments in ((), ("frob",), ("eval",), ("eval", "x", "nofile"), ("eval", "q", data), ("search", data, "--target", "nosuch(x)")):
            lines = run(*arguments).stderr.splitlines()
            self.assertIn(len(lines), (1, 3), lines)

    def test_a_full_disk_is_an_error(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        done = shell("printf 'x\\n1\\n' | $V eval x - > /dev/full")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_every_verb_takes_every_format(self):
        data = self.file("a.csv", "x,y\n1,2\n2,4.5\n3,6\n")
        common = ("--define", "f(a) = 2*a", "--dtype", "f64", "--threads", "1")
        verbs = (("ops",), ("show", "f(x)"), ("eval", "f(x)", data), ("grad", "f(x)", data), ("diff", "f(x)", "--wrt", "x"),
                 ("fit", "k*f(x)", data, "--target", "y"), ("search", data, "--target", "y", "--evals", "500"),
                 ("export", "f(x)", "--to", "c"), ("export", "f(x)", "--to", "latex"), ("export", "f(x)", "--to", "json"))
        for verb in verbs:
            for form in ("csv", "json", "text"):
                done = run(*verb, *common, "--format", form)
                self.assertEqual(done.returncode, 0, done.stderr)
                if form == "json":
                    json.loads(done.stdout)
                if form == "csv":
                    rows = list(csv.reader(io.StringIO(done.stdout)))
                    self.assertEqual({len(row) for row in rows}, {len(rows[0])}, verb)
                    self.assertGreater(len(rows), 1)

    def test_help(self):
        self.assertEqual(run("--version").stdout.split()[0], "vieta")
        top = run("--help")
        self.assertEqual(top.returncode, 0)
        for verb in ("ops", "show", "eval", "grad", "diff", "fit", "search", "predict", "export"):
            self.assertIn(verb, top.stdout)
            done = run(verb, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example", done.stdout)

    def test_pipes(self):
        done = shell("printf 'x\\n1\\n' | $V eval x - --format json 2> /dev/null | python3 -m json.tool")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = "x\n" + "1\n" * 200000
        path = self.file("many.csv", rows)
        done = shell(f"$V eval x {path} 2> /dev/null | head -1")
        self.assertEqual(done.stdout, "value\n")
        done = shell("$V ops --format json | python3 -m json.tool > /dev/null && $V ops | head -1 > /dev/null")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
