"""vieta search, and what is done with a front."""
import json
import pathlib
import signal
import subprocess
import time
import unittest

from harness import SOURCE, VIETA, Folder, run


class Search(Folder):
    def test_kepler_model_predict_and_export(self):
        planets = str(SOURCE / "examples/kepler/planets.csv")
        out = str(self.path / "run")
        done = run("search", planets, "--target", "period", "--evals", "60000", "--out", out, "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("planet", done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(set(result), {"front", "selected", "n_evaluations", "seconds", "stop_reason", "seed"})
        entry = result["front"][result["selected"]]
        self.assertEqual(set(entry), {"complexity", "loss", "r2", "score", "formula", "latex"})
        self.assertGreater(entry["r2"], 0.99999)
        model = out + "/model.json"
        # Columns by name, in any order.
        shuffled = self.file("b.csv", "eccentricity,period,a\n0.0167,365.256,1.0\n")
        predicted = run("predict", model, shuffled).stdout
        self.assertAlmostEqual(float(predicted.splitlines()[1]), 365, delta=3)
        direct = run("eval", entry["formula"], planets).stdout
        self.assertEqual(run("predict", model, planets).stdout, direct)
        self.assertTrue(run("export", model, "--to", "latex").stdout)
        self.assert_error(run("predict", model, shuffled, "--index", "99"), 2, "--index")
        self.assert_error(run("predict", model, self.file("c.csv", "q\n1\n"), "--complexity", "3"), 3, "no column 'a'")
        self.assertTrue((pathlib.Path(out) / "front.csv").read_text().startswith("complexity,loss,r2,score,formula\n"))

    def test_columns_go_by_name_whatever_they_are_called(self):
        rows = [(q / 3, q * q % 7, q) for q in range(12)]
        text = "".join(f"{t},{a},{q},{2 * t - q}\n" for t, a, q in rows)
        data = self.file("a.csv", "air temp,air_temp,load_%,y\n" + text)
        out = str(self.path / "run")
        done = run("search", data, "--target", "y", "--ops", "+ - *", "--evals", "40000", "--out", out, "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = "".join(f"{2 * t - q},{q},{a},{t}\n" for t, a, q in rows)
        permuted = self.file("b.csv", "y,load_%,air_temp,air temp\n" + text)
        for index in map(str, range(len(json.loads(done.stdout)["front"]))):
            one = run("predict", out + "/model.json", data, "--index", index).stdout
            self.assertEqual(one, run("predict", out + "/model.json", permuted, "--index", index).stdout)
            self.assertEqual(len(one.splitlines()), 13)

    def test_losses_are_those_of_the_predictions(self):
        planets = str(SOURCE / "examples/kepler/planets.csv")
        out = str(self.path / "run")
        front = json.loads(run("search", planets, "--target", "period", "--evals", "40000", "--out", out, "--format", "json").stdout)["front"]
        header = pathlib.Path(planets).read_text().splitlines()[0].split(",")
        periods = [float(line.split(",")[header.index("period")]) for line in pathlib.Path(planets).read_text().splitlines()[1:]]
        losses = []
        for index, entry in enumerate(front):
            values = map(float, run("predict", out + "/model.json", planets, "--index", str(index)).stdout.split()[1:])
            losses.append(sum((v - p) ** 2 for v, p in zip(values, periods)) / len(periods))
            # Sums in another order, and residuals 1e-9 of the values: 1e-6 is what is promised.
            self.assertLessEqual(abs(losses[-1] - entry["loss"]), 1e-6 * entry["loss"] + 1e-20)
        self.assertEqual(losses, sorted(losses, reverse=True))

    def test_ctrl_c_ends_politely(self):
        planets = str(SOURCE / "examples/kepler/planets.csv")
        out = self.path / "run"
        search = subprocess.Popen([VIETA, "search", planets, "--target", "period", "--time", "100", "--out", str(out)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # The first front.csv says that it runs.
        for _ in range(600):
            if (out / "front.csv").exists():
                break
            time.sleep(0.1)
        search.send_signal(signal.SIGINT)
        stdout, stderr = search.communicate(timeout=60)
        self.assertEqual(search.returncode, 130, stderr)
        self.assertIn("complexity", stdout)
        self.assertIn("interrupted", stderr)
        self.assertEqual(run("predict", str(out / "model.json"), planets).returncode, 0)
        self.assertEqual([p.name for p in sorted(out.iterdir())], ["front.csv", "model.json"])

    def test_target_formulas_and_progress(self):
        planets = str(SOURCE / "examples/kepler/planets.csv")
        done = run("search", planets, "--target", "half(period) + k", "--define", "half(a) = a/2", "--param", "k=1", "--evals", "1000")
        self.assertEqual(done.returncode, 0, done.stderr)
        quiet = run("search", planets, "--target", "period", "--time", "1.3").stderr.splitlines()
        told = run("search", planets, "--target", "period", "--time", "1.3", "--progress").stderr.splitlines()
        self.assertEqual(len(quiet), 2)
        self.assertGreater(len(told), 2)

    def test_same_seed_same_bytes_at_any_thread_count(self):
        planets = str(SOURCE / "examples/kepler/planets.csv")
        fronts = [json.loads(run("search", planets, "--target", "log(period)", "--evals", "40000", "--seed", "3", "--threads", n,
                                 "--format", "json").stdout)["front"] for n in ("1", "2", "3")]
        self.assertEqual(fronts[0], fronts[1])
        self.assertEqual(fronts[0], fronts[2])

    def test_errors(self):
        data = self.file("a.csv", "x,y\n1,2\n2,3\n")
        self.assert_error(run("search", data, "--target", "y", "--ops", "+ nosuch"), 2, "nosuch")
        self.assert_error(run("search", data, "--target", "y", "--ops", "+ +"), 2, "twice")
        self.assert_error(run("search", data, "--target", "q"), 2)
        self.assert_error(run("search", data, "--target", "y", "--inputs", "q"), 2, "q")
        self.assert_error(run("search", data), 2, "--target")
        self.assert_error(run("search", data, "--target", "y", "--maxsize", "0"), 2)
        self.assert_error(run("search", data, "--target", "y", "--seed", "-1"), 2, "--seed")
        self.assert_error(run("search", data, "--target", "y", "--time", "nan"), 2, "--time")
        self.assert_error(run("search", data, "--target", "y", "--evals", "0"), 2, "--evals")
        self.assert_error(run("search", data, "--target", "y", "--inputs", "x,x"), 2, "twice")
        self.assert_error(run("search", data, "--target", "log(y - 2)"), 3, "data row 1")
        self.assert_error(run("search", data, "--target", "y", "--evals", "100", "--out", data), 3, "a.csv")
        self.assert_error(run("search", data, "--target", "y", "--loss", "l7"), 2, "l7")
        text = self.file("text.csv", "x,y\nabc,2\n")
        self.assert_error(run("search", text, "--target", "y", "--inputs", "x"), 3, "abc")

    def test_search_takes_losses(self):
        data = self.decay()
        for loss in ("l1", "poisson", "abs(f - y)^1.5"):
            done = run("search", data, "--target", "y", "--loss", loss, "--evals", "20000", "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            losses = [entry["loss"] for entry in json.loads(done.stdout)["front"]]
            self.assertEqual(losses, sorted(losses, reverse=True))
        self.assert_error(run("search", data, "--target", "y", "--loss", "nothing"), 2, "--loss")


if __name__ == "__main__":
    unittest.main()
