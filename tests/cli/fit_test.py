"""vieta fit, and what is done with a fit."""
import json
import os
import unittest

from harness import Folder, run


class Fit(Folder):
    def test_line(self):
        data = self.file("a.csv", "x,y\n1,2.1\n2,3.9\n3,6.2\n4,7.8\n5,10.1\n")
        done = run("fit", "a*x + b", data, "--target", "y", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertAlmostEqual(result["parameters"]["a"]["value"], 1.99, 12)
        self.assertEqual(result["dof"], 3)
        for key in ("loss", "rss", "residual_sd", "n_evaluations", "stop_reason", "formula"):
            self.assertIn(key, result)
        self.assertEqual(set(result["parameters"]["a"]), {"value", "std_error", "ci95"})
        self.assertIn("±", run("fit", "a*x + b", data, "--target", "y", "--start", "a=1,b=2").stdout)

    def test_errors(self):
        data = self.file("a.csv", "x,y,t\n1,2,text\n2,3,more\n")
        self.assert_error(run("fit", "a*x", data, "--target", "q"), 2, "q")
        self.assert_error(run("fit", "a*x", data, "--target", "t"), 3, "t")
        self.assert_error(run("fit", "a*t", data, "--target", "y"), 3, "t")
        self.assert_error(run("fit", "x", data, "--target", "y"), 2, "nothing to fit")
        self.assert_error(run("fit", "a*x", data, "--target", "y", "--start", "a"), 2, "--start")
        self.assert_error(run("fit", "log(-a*a - x)", data, "--target", "y"), 4, "start")

    def test_weights_of_zero_do_not_count(self):
        rows = "".join(f"{x},{2 * x if x < 9 else 1000},{int(x < 9)}\n" for x in range(10))
        data = self.file("a.csv", "x,y,w\n" + rows)
        done = json.loads(run("fit", "a*x", data, "--target", "y", "--weights", "w", "--format", "json").stdout)
        self.assertAlmostEqual(done["parameters"]["a"]["value"], 2, 9)
        self.assert_error(run("fit", "a*x", data, "--target", "y", "--weights", "w", "--sigma", "w"), 2, "--sigma")
        self.assert_error(run("fit", "a*x", data, "--target", "y", "--sigma", "w"), 3, "row 11")

    def test_given_parameters_are_no_unknowns(self):
        data = self.file("a.csv", "x,y\n1,3\n2,5\n3,7\n")
        done = run("fit", "a*x + b", data, "--target", "y", "--param", "b=1", "--format", "csv")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "name,value,std_error,ci95_low,ci95_high")
        self.assertEqual(len(lines), 2)
        self.assertAlmostEqual(float(lines[1].split(",")[1]), 2, 9)
        self.assert_error(run("fit", "a*x", data, "--target", "y", "--param", "q=1"), 2, "'q'")

    def test_losses(self):
        data = self.decay()
        values = {}
        for loss in ("l2", "l1", "huber:0.1", "quantile:0.5", "log_cosh", "poisson", "abs(prediction - target)"):
            done = run("fit", "a*exp(-b*x) + c", data, "--target", "y", "--loss", loss, "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            result = json.loads(done.stdout)
            self.assertEqual(result["loss_name"], loss)
            values[loss] = result["parameters"]["b"]["value"]
            self.assertAlmostEqual(values[loss], 0.3, 1)
        self.assertAlmostEqual(values["l1"], values["quantile:0.5"], 9)
        self.assertAlmostEqual(values["l1"], values["abs(prediction - target)"], 9)
        self.assert_error(run("fit", "a*x", data, "--target", "y", "--loss", "l3"), 2, "--loss", "huber:d")
        self.assert_error(run("fit", "a*x", data, "--target", "y", "--loss", "huber:-1"), 2, "--loss", "above 0")
        self.assert_error(run("fit", "a*x - 99", data, "--target", "-y", "--loss", "poisson"), 3, "row 2", "counts")
        loss = run("fit", "a*x", data, "--target", "y", "--define", "mine(r) = r^2", "--loss", "mine(f - y)",
                   "--format", "csv").stdout
        plain = run("fit", "a*x", data, "--target", "y", "--format", "csv").stdout
        self.assertAlmostEqual(float(loss.split(",")[5]), float(plain.split(",")[5]), 10)

    def test_bounds_fixed_and_tied(self):
        data = self.decay()
        base = ("fit", "a*exp(-b*x) + c", data, "--target", "y", "--format", "json")
        result = json.loads(run(*base, "--bounds", "c=:0.95,a=0:").stdout)
        self.assertEqual(result["parameters"]["c"]["value"], 0.95)
        self.assertTrue(any("bound" in w for w in result["warnings"]))
        fixed = json.loads(run(*base, "--fix", "c=0.95").stdout)
        self.assertEqual(fixed["fixed"], {"c": 0.95})
        self.assertAlmostEqual(fixed["rss"], result["rss"], 9)
        tied = json.loads(run(*base, "--tie", "c=a/5").stdout)
        self.assertAlmostEqual(tied["tied"]["c"]["value"], tied["parameters"]["a"]["value"] / 5, 12)
        self.assert_error(run(*base, "--bounds", "c=1"), 2, "--bounds", "a=0:1")
        self.assert_error(run(*base, "--bounds", "c=2:1"), 2, "--bounds")
        self.assert_error(run(*base, "--fix", "q=1"), 2, "--fix", "'q'")
        self.assert_error(run(*base, "--tie", "c"), 2, "--tie")
        self.assert_error(run(*base, "--tie", "c=a", "--tie", "a=c"), 2, "--tie", "circle")

    def test_profile_and_bands(self):
        data = self.decay()
        folder = str(self.path / "fit")
        done = run("fit", "a*exp(-b*x) + c", data, "--target", "y", "--profile", "--out", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("profile:", done.stdout)
        lines = run("eval", folder, data, "--bands").stdout.splitlines()
        self.assertEqual(lines[0], "value,confidence_low,confidence_high,prediction_low,prediction_high")
        self.assertEqual(len(lines), 13)
        value, low, high, single_low, single_high = map(float, lines[1].split(","))
        self.assertTrue(single_low < low < value < high < single_high)
        other = self.file("new.csv", "other,x\n0,20\n")  # columns by name
        self.assertAlmostEqual(float(run("eval", os.path.join(folder, "model.json"), other).stdout.split()[1]), 1.0, 1)
        self.assertEqual(run("predict", os.path.join(folder, "model.json"), other).returncode, 0)
        self.assertIn("e^{", run("export", os.path.join(folder, "model.json"), "--to", "latex").stdout)
        self.assert_error(run("eval", "x", data, "--bands"), 2, "--bands", "vieta fit")
        self.assert_error(run("eval", "missing.json", data, "--bands"), 3, "missing.json")
        self.assert_error(run("fit", "a*x", data, "--target", "y", "--profile", "--loss", "l1"), 2, "--profile")

    def test_the_target_does_not_explain_itself(self):
        data = self.file("a.csv", "x,y\n1,3\n2,5\n")
        self.assert_error(run("fit", "a*y", data, "--target", "log(y)"), 2, "'y'", "--inputs")
        self.assertEqual(run("fit", "a*y", data, "--target", "y", "--inputs", "y").returncode, 0)


if __name__ == "__main__":
    unittest.main()
