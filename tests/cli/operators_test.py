"""Operators of the user's, as typed: definitions with recursion and loops, in every verb, and in saved models."""
import json
import math
import pathlib
import unittest

from harness import Folder, run

SOFT = "soft(a, b) = a > b ? a*b : exp(a - b)"
FACT = "fact(n) = n <= 1 ? 1 : n*fact(n - 1)"


class Definitions(Folder):
    def table(self):
        return self.file("n.csv", "n,x\n5,1\n3,2\n0,3\n")

    def test_recursion_and_loops(self):
        done = run("eval", "fact(n)*x", self.table(), "--define", FACT)
        self.assertEqual(done.stdout, "value\n120\n12\n3\n")
        done = run("eval", "s(n)", self.table(), "--define", "s(n) = sum(i, 1, n, i^2)")
        self.assertEqual(done.stdout, "value\n55\n14\n0\n")
        done = run("eval", "root(n)", self.table(), "--define", "root(x) = iterate(s, 1, 30, (s + x/s)/2)")
        self.assertAlmostEqual(float(done.stdout.splitlines()[1]), math.sqrt(5), delta=1e-15)

    def test_exact_derivatives(self):
        done = run("grad", "fact(n)*x", self.table(), "--define", FACT, "--order", "2")
        rows = done.stdout.splitlines()
        self.assertEqual(rows[0], "value,d/dn,d/dx,d2/dn.dn,d2/dn.dx,d2/dx.dx")
        # 5*4*3*2 as a product of n, n - 1, n - 2, n - 3.
        self.assertEqual(rows[1], "120,154,120,142,154,0")
        self.assertEqual(run("diff", "soft(x, 2)", "--wrt", "x", "--define", SOFT).stdout, "if(x > 2, 2, exp(x - 2))\n")
        self.assert_error(run("diff", "fact(x)", "--wrt", "x", "--define", FACT), 4, "'fact' is no formula", "vieta grad")

    def test_what_cannot_end(self):
        self.assert_error(run("eval", "f(x)", self.table(), "--define", "f(x) = f(x - 1)"), 2, "never ends", "column 8")
        # What has a value is printed.
        endless = run("eval", "f(x)", self.table(), "--define", "f(x) = x == 2 ? 7 : f(x - 1)")
        self.assertEqual((endless.returncode, endless.stdout), (4, "value\nnan\n7\n7\n"))
        self.assertIn("error: formula: 'f' took more than 100000 steps", endless.stderr)
        self.assertIn("data row 1", endless.stderr)
        self.assert_error(run("eval", "sum(i, 1, n, i)", self.table()), 2, "loops belong to definitions")

    def test_a_fit_says_that_one_did_not_end(self):
        endless = "f(x) = x == 200 ? 7 : f(x - 1)"
        done = run("fit", "a*f(x)", self.table(), "--target", "n", "--start", "a=1", "--define", endless)
        self.assert_error(done, 4, "no finite loss", "'f' took more than 100000 steps")

    def test_show_and_ops_tell_them(self):
        done = run("show", "soft(x, 2) + 1", "--define", SOFT)
        self.assertIn("formula     soft(x, 2) + 1\n", done.stdout)
        self.assertIn("constants   c1 = 2, c2 = 1\n", done.stdout)
        self.assertIn(SOFT, run("ops", "--define", SOFT).stdout)

    def test_export_writes_them_out_or_by_name(self):
        done = run("export", "soft(x, 2)", "--inputs", "x", "--define", SOFT, "--to", "numpy")
        self.assertIn("numpy.exp(x - 2.0)", done.stdout)
        done = run("export", "soft(x, 2)", "--inputs", "x", "--define", SOFT, "--to", "latex")
        self.assertEqual(done.stdout, "\\operatorname{soft}\\left(x, 2\\right)\n")
        done = run("export", "fact(x)", "--inputs", "x", "--define", FACT, "--to", "c")
        self.assertIn("double vieta_fact(double);", done.stdout)
        done = run("export", "fact(x)", "--inputs", "x", "--define", FACT, "--to", "julia")
        self.assertEqual(done.stdout, "fact(x)\n")
        self.assertIn("to be supplied", done.stderr)


class Models(Folder):
    def data(self):
        rows = [(x / 7 - 2, (5 * x % 11) / 3 - 1.7) for x in range(40)]
        text = "".join(f"{x!r},{y!r},{1.5 * (x * y if x > y else math.exp(x - y)) + 0.25!r}\n" for x, y in rows)
        return self.file("soft.csv", "x,y,z\n" + text)

    def test_a_search_uses_them_and_its_model_carries_them(self):
        data = self.data()
        out = str(self.path / "run")
        done = run("search", data, "--target", "z", "--define", SOFT, "--ops", "+ * soft", "--evals", "50000", "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        model = json.loads((self.path / "run" / "model.json").read_text())
        self.assertEqual(model["definitions"], [SOFT])
        best = model["front"][model["selected"]]
        self.assertEqual(best["complexity"], 7)
        self.assertIn("soft(x, y)", best["formula"])
        self.assertIn("operatorname{soft}", best["latex"])
        self.assertLess(best["loss"], 1e-20)
        values = run("predict", out + "/model.json", data).stdout.splitlines()
        wanted = [line.split(",")[2] for line in pathlib.Path(data).read_text().splitlines()]
        for value, z in zip(values[1:], wanted[1:]):
            self.assertAlmostEqual(float(value), float(z), delta=1e-10)

    def test_a_fit_uses_them_and_its_model_carries_them(self):
        data = self.data()
        out = str(self.path / "fit")
        done = run("fit", "a*soft(x, y) + b", data, "--target", "z", "--define", SOFT, "--format", "json", "--out", out)
        found = json.loads(done.stdout)
        self.assertAlmostEqual(found["parameters"]["a"]["value"], 1.5, delta=1e-12)
        self.assertAlmostEqual(found["parameters"]["b"]["value"], 0.25, delta=1e-12)
        bands = run("eval", out, data, "--bands")
        self.assertEqual(bands.returncode, 0, bands.stderr)
        self.assertEqual(len(bands.stdout.splitlines()), 41)

    def test_definitions_beside_a_model_are_used_or_refused(self):
        data = self.data()
        out = str(self.path / "fit")
        run("fit", "a*soft(x, y) + b", data, "--target", "z", "--define", SOFT, "--out", out)
        values = run("predict", out, data).stdout
        self.assertEqual(len(values.splitlines()), 41)
        self.assertEqual(run("predict", out, data, "--define", "other(a) = a + 1").stdout, values)
        clash = "soft(a, b) = a - b"
        for verb in (("predict", out, data), ("eval", out, data), ("eval", out, data, "--bands"), ("show", out), ("export", out, "--to", "c")):
            self.assert_error(run(*verb, "--define", clash), 2, "'soft' is defined by the model itself", SOFT)
        # A model whose operator was no text lacks it.
        path = self.path / "fit" / "model.json"
        model = json.loads(path.read_text())
        path.write_text(json.dumps({**model, "definitions": []}))
        self.assert_error(run("predict", out, data), 3, "no function is called 'soft'")
        self.assertEqual(run("predict", out, data, "--define", SOFT).stdout, values)

    def test_show_tells_what_a_model_holds(self):
        out = str(self.path / "fit")
        run("fit", "a*soft(x, y) + b", self.data(), "--target", "z", "--define", SOFT, "--out", out)
        for model in (out, out + "/model.json"):
            done = run("show", model)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("model.json, formula 0 of 0 to 0", done.stdout)
            self.assertIn("soft(x, y)", done.stdout)
            self.assertIn("program", done.stdout)
        found = json.loads(run("show", out, "--format", "json").stdout)
        self.assertEqual((found["index"], found["variables"]), (0, ["x", "y"]))
        self.assert_error(run("show", out, "--index", "5"), 2, "--index")
        self.assert_error(run("show", "x", "--index", "0"), 2, "wanted a model.json")
        self.assert_error(run("show", str(self.path)), 2, "holds no model.json")


if __name__ == "__main__":
    unittest.main()
