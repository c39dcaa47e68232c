"""vieta show, eval, grad, diff and export."""
import gzip
import json
import math
import unittest

from harness import Folder, run


class Eval(Folder):
    def test_prints_a_number_a_row(self):
        done = run("eval", "x1 + cos(x2)", "-", stdin="x1,x2\n1,2\n")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "value\n0.5838531634528576\n")
        self.assertIn("ok", done.stderr)

    def test_reads_separators_gzip_and_odd_names(self):
        data = self.file("a.csv", "air temp;load_%;pi\r\n1,5;2;3\r\n")
        done = run("eval", "`air temp` + 2*`load_%`^2 + pi", data)
        self.assertEqual(done.stdout, "value\n12.5\n", done.stderr)
        packed = self.path / "a.csv.gz"
        packed.write_bytes(gzip.compress(b"x\ty\n1\t2\n"))
        self.assertEqual(run("eval", "x - y", str(packed)).stdout, "value\n-1\n")

    def test_parameters_definitions_and_files(self):
        data = self.file("a.csv", "x,y\n1,2\n3,4\n")
        self.assertEqual(run("eval", "k*x", data, "--param", "k=1.5").stdout, "value\n1.5\n4.5\n")
        done = run("eval", "soft(x, y)", data, "--define", "soft(a, b) = a > b ? a*b : a - b")
        self.assertEqual(done.stdout, "value\n-1\n-1\n", done.stderr)
        formula = self.file("formula.txt", "x*y\n")
        self.assertEqual(run("eval", "@" + formula, data).stdout, "value\n2\n12\n")

    def test_says_what_is_not_finite(self):
        data = self.file("a.csv", "x\n1\n-1\n")
        done = run("eval", "log(x)", data)
        self.assertEqual((done.returncode, done.stdout), (0, "value\n0\nnan\n"))
        self.assertIn("row 2", done.stderr)
        self.assertEqual(run("eval", "log(x)", data, "--strict").returncode, 4)

    def test_formats_and_types(self):
        data = self.file("a.csv", "x\n0.1\n")
        self.assertEqual(run("eval", "x", data, "--dtype", "f32").stdout, "value\n0.1\n")
        self.assertEqual(json.loads(run("eval", "x", data, "--format", "json").stdout), {"value": [0.1], "ok": True, "first_bad_row": None})
        self.assertEqual(run("eval", "x", data, "--format", "text").stdout, "value\n  0.1\n")

    def test_threads_do_not_change_a_byte(self):
        rows = "\n".join(f"{i / 7},{math.sin(i)}" for i in range(5000))
        data = self.file("a.csv", "x,y\n" + rows + "\n")
        one = run("grad", "exp(-x/100)*y + sqrt(x)", data, "--threads", "1").stdout
        two = run("grad", "exp(-x/100)*y + sqrt(x)", data, "--threads", "2").stdout
        self.assertEqual(one, two)
        self.assertEqual(len(one.splitlines()), 5001)

    def test_a_formula_may_start_with_a_sign(self):
        data = self.file("a.csv", "x,y\n2,3\n")
        for formula, value in (("-x", "-2"), ("-(x)", "-2"), ("-x^2", "-4"), ("-.5*x", "-1"), ("-3^2", "-9"), ("-`x`", "-2")):
            self.assertEqual(run("eval", formula, data).stdout, f"value\n{value}\n", formula)
        for flag in ("--as-written", "--strict"):  # a flag has no value: what follows is the formula
            self.assertEqual(run("eval", flag, "-x", data).stdout, "value\n-2\n", flag)
        self.assertIn("formula     -x", run("show", "-x").stdout)
        self.assertIn("formula     x^3 + 2*(x*y)\n", run("show", "--simplify", "x*x^2 + x*y + y*x").stdout)
        self.assertIn("formula     x/x\n", run("show", "--simplify", "x/x").stdout)
        self.assertEqual(run("fit", "-a*x", data, "--target", "-y", "--start", "a=-1", "--format", "csv").returncode, 0)
        done = run("eval", "-x + )", data)
        self.assertEqual(done.stderr.splitlines()[1:], ["  -x + )", "       ^"])

    def test_a_column_always_means_the_column(self):
        data = self.file("a.csv", "N,exec,E,pi,sin,x0,lambda,im,e1\n1,2,3,4,5,6,7,8,9\n")
        self.assertEqual(run("eval", "N + exec + E + pi + sin + x0 + lambda + im + e1", data).stdout, "value\n45\n")

    def test_a_missing_parameter_is_named_with_what_it_may_have_meant(self):
        data = self.file("a.csv", "speed\n1\n")
        self.assert_error(run("eval", "sped + 1", data), 2, "'sped'", "--param sped=", "'speed'")

    def test_f32_prints_the_shortest_text_of_a_float(self):
        data = self.file("a.csv", "x\n0.1\n1\n")
        self.assertEqual(run("eval", "x/3", data, "--dtype", "f32").stdout, "value\n0.033333335\n0.33333334\n")
        done = json.loads(run("eval", "x", data, "--dtype", "f32", "--format", "json").stdout)
        self.assertEqual(done["value"], [0.1, 1])

    def test_a_long_formula_is_read_from_a_file_and_a_deep_one_refused(self):
        data = self.file("a.csv", "x\n1\n")
        long = self.file("long.txt", "+".join(["x"] * 100000))
        self.assertEqual(run("eval", "@" + long, data).stdout, "value\n100000\n")
        deep = self.file("deep.txt", "(" * 100000 + "x" + ")" * 100000)
        self.assert_error(run("eval", "@" + deep, data), 2)


class Derivatives(Folder):
    def test_headers_and_values(self):
        data = self.file("a.csv", "a,b,c\n2,3,0\n")
        done = run("grad", "a*a*b + 5", data, "--wrt", "a,b", "--order", "2")
        self.assertEqual(done.stdout, "value,d/da,d/db,d2/da.da,d2/da.db,d2/db.db\n17,12,4,6,4,0\n")
        done = run("grad", "k*a + 7", data, "--param", "k=2", "--wrt", "all")
        self.assertEqual(done.stdout, "value,d/da,d/dc1,d/dk\n11,2,1,2\n")
        self.assertEqual(run("grad", "a*b", data).stdout, "value,d/da,d/db\n6,3,2\n")

    def test_symbolic(self):
        self.assertEqual(run("diff", "x^2", "--wrt", "x").stdout, "2*x\n")
        self.assertEqual(run("diff", "x^3", "--wrt", "x", "--wrt", "x").stdout, "6*x\n")
        self.assert_error(run("diff", "x^2", "--wrt", "q"), 2, "q")

    def test_names_that_csv_must_quote(self):
        data = self.file("a.csv", 'air temp,"a,b"\n2,3\n')
        done = run("grad", "`air temp`*`a,b`^2", data, "--order", "2")
        self.assertEqual(done.stdout.splitlines()[0],
                         'value,d/dair temp,"d/da,b",d2/dair temp.dair temp,"d2/dair temp.da,b","d2/da,b.da,b"')
        self.assertEqual(run("grad", "`air temp`*`a,b`^2", data, "--wrt", "`a,b`").stdout, 'value,"d/da,b"\n18,12\n')

    def test_what_to_differentiate_by(self):
        data = self.file("a.csv", "x,y\n2,3\n")
        self.assertEqual(run("grad", "3*x", data, "--wrt", "constants").stdout, "value,d/dc1\n6,2\n")
        self.assertEqual(run("grad", "3*x", data, "--wrt", "y").stdout, "value,d/dy\n6,0\n")
        self.assertEqual(run("grad", "3*x", data, "--wrt", "c1", "--wrt", "variables").stdout, "value,d/dc1,d/dx\n6,2,3\n")
        self.assert_error(run("grad", "3*x", data, "--wrt", "x,x"), 2, "twice")
        self.assert_error(run("grad", "3*x", data, "--wrt", "q"), 2, "--wrt", "'q'")
        self.assert_error(run("grad", "3*x", data, "--order", "3"), 2, "--order")
        done = json.loads(run("grad", "x*y", data, "--format", "json").stdout)
        self.assertEqual(done, {"value": [6], "d/dx": [3], "d/dy": [2], "ok": True, "first_bad_row": None})
        self.assertEqual(run("diff", "k*x^2", "--wrt", "x", "--param", "k=2").stdout, "4*x\n")


class LocalNames(Folder):
    def test_definitions_may_name_their_parts(self):
        data = self.file("a.csv", "x\n1\n3\n")
        done = run("grad", "f(x)", data, "--define", "f(a) = t = a^2; u = t + 1; t*u")
        self.assertEqual(done.stdout, "value,d/dx\n2,6\n90,114\n", done.stderr)
        self.assert_error(run("eval", "f(x)", data, "--define", "f(a) = t = a^2; t = 1; t"), 2, "'t'")


class Composites(Folder):
    def test_digits_are_kept_unless_asked_otherwise(self):
        data = self.file("a.csv", "x\n1e-12\n")
        self.assertEqual(float(run("eval", "exp(x) - 1", data).stdout.split()[1]), math.expm1(1e-12))
        self.assertEqual(float(run("eval", "exp(x) - 1", data, "--as-written").stdout.split()[1]),
                         math.exp(1e-12) - 1)
        self.assertIn("softplus", run("show", "log(1 + exp(x))").stdout)
        self.assertNotIn("softplus", run("show", "log(1 + exp(x))", "--as-written").stdout)
        slope = run("grad", "log(1 - exp(-x))", data).stdout.splitlines()[1].split(",")[1]
        self.assertAlmostEqual(float(slope) * 1e-12, 1, 11)


class Export(Folder):
    def test_show_and_export(self):
        done = run("show", "a*exp(-b*t) + 2", "--inputs", "t")
        for part in ("formula     a*exp(-b*t) + 2", "complexity  9", "parameters  a, b", "c1 = 2", "result"):
            self.assertIn(part, done.stdout)
        self.assertEqual(run("export", "(x > 4) - x", "--to", "numpy").stdout, "numpy.where(x > 4.0, 1.0, 0.0) - x\n")
        self.assertEqual(json.loads(run("export", "x + 1", "--to", "json").stdout)["formula"], "x + 1")
        self.assertIn("formula     2*x\n", run("show", "k*x", "--param", "k=2").stdout)
        self.assertEqual(run("export", "k*x", "--to", "julia", "--param", "k=2").stdout, "2.0*x\n")
        done = run("export", "`air temp`*2", "--to", "numpy")
        self.assertEqual(done.stdout, "air_temp*2.0\n")
        self.assertIn("air_temp is air temp", done.stderr)
        self.assertIn("double vieta_f(double x1, double k) {", run("export", "k*x1", "--to", "c", "--inputs", "x1").stdout)


if __name__ == "__main__":
    unittest.main()
