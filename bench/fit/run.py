#!/usr/bin/env python3
"""Fits a second of formulas over tables of 100 rows from a start that is off, one thread: Vieta,
scipy.optimize.curve_fit and lmfit, taking turns in one run, best of many short rounds, so that each
meets a quiet moment of the machine. The first formula is the one that docs/performance.md follows;
the others show that what helps it helps.

Usage: run.py FIT_BENCH [JSON]   Exits with 1 if Vieta ends higher than another program anywhere.
"""
import json
import math
import os
import random
import subprocess
import sys
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

ROWS, PROBLEMS, ROUNDS, REPEATS = 100, 20, 15, 3
# All minimise the same sum; the slackest stops at 1e-8 of it.
SAME = 1e-6
# name, formula, the same for Python (m: numpy or math), start, ranges of the true constants, noise
MODELS = [
    ("decay", "a*exp(b*x) + c", lambda m, x, a, b, c: a * m.exp(b * x) + c,
     (1.0, -1.0, 0.0), ((3, 10), (-0.6, -0.2), (0.5, 3)), 0.05),
    ("peak", "a*exp(-square((x - m)/s)) + c", lambda m, x, a, t, s, c: a * m.exp(-(((x - t) / s) ** 2)) + c,
     (1.0, 4.0, 2.0, 0.0), ((3, 10), (4.5, 5.5), (0.8, 2), (0.5, 3)), 0.05),
    ("sigmoid", "a*logistic(k*(x - m))", lambda m, x, a, k, t: a / (1 + m.exp(-k * (x - t))),
     (1.0, 1.0, 4.0), ((3, 10), (0.7, 2.5), (3.5, 6)), 0.05),
    ("power", "a*x^p + c", lambda m, x, a, p, c: a * x**p + c,
     (1.0, 1.0, 0.0), ((1, 4), (0.3, 2), (0.5, 3)), 0.05),
    ("saturation", "a*x/(k + x)", lambda m, x, a, k: a * x / (k + x),
     (1.0, 1.0), ((3, 10), (0.5, 5)), 0.05),
    ("two decays", "a*exp(b*x) + c*exp(d*x)", lambda m, x, a, b, c, d: a * m.exp(b * x) + c * m.exp(d * x),
     (1.0, -2.0, 1.0, -0.1), ((3, 10), (-2, -1), (2, 6), (-0.4, -0.15)), 0.02),
    ("wave", "a*sin(w*x + p) + c", lambda m, x, a, w, p, c: a * m.sin(w * x + p) + c,
     (1.0, 1.9, 0.5, 0.0), ((2, 5), (1.8, 2.1), (0, 1), (0.5, 3)), 0.1),
]


def make_problems(model):
    _, _, value, _, ranges, noise = model
    source = random.Random(7)
    problems = []
    for _ in range(PROBLEMS):
        truth = [source.uniform(*r) for r in ranges]
        x = [10 * (r + 0.5) / ROWS for r in range(ROWS)]
        problems.append((x, [value(math, v, *truth) + source.gauss(0, noise) for v in x]))
    return problems


def vieta(executable, model, problems):
    text = model[1] + "\n" + " ".join(map(str, model[3])) + "\n"
    for x, y in problems:
        text += f"{len(x)}\n" + "".join(f"{u!r} {v!r}\n" for u, v in zip(x, y))
    done = subprocess.run([executable], input=text, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def python_fits(model, problems):
    """name -> function that fits all problems and returns the constants."""
    try:
        import lmfit
        import numpy
        from scipy.optimize import curve_fit
    except ImportError as missing:
        print(f"(not compared: {missing})")
        return {}
    arrays = [(numpy.array(x), numpy.array(y)) for x, y in problems]
    names = [f"c{k}" for k in range(len(model[3]))]
    # A function with the arguments by name, as both programs want to read them.
    function = eval(f"lambda x, {', '.join(names)}: value(numpy, x, {', '.join(names)})",
                    {"value": model[2], "numpy": numpy})
    function.__name__ = "model"
    lm = lmfit.Model(function)
    start = dict(zip(names, model[3]))
    return {
        "curve_fit": lambda: [curve_fit(function, x, y, model[3])[0].tolist() for x, y in arrays],
        "lmfit": lambda: [[lm.fit(y, x=x, **start).best_values[n] for n in names] for x, y in arrays],
    }


def measure(executable, model):
    """By program: seconds of one fit, and on how many tables another one ended lower."""
    problems = make_problems(model)
    seconds, found = {}, {}

    def record(name, time_of_one, constants):
        seconds[name] = min(seconds.get(name, math.inf), time_of_one)
        found[name] = constants

    others = python_fits(model, problems)
    for _ in range(ROUNDS):
        ours = vieta(executable, model, problems)
        record("fit_batch", ours["batch"]["seconds"], ours["batch"]["found"])
        record("fit", ours["fit"]["seconds"], ours["fit"]["found"])
        # As often as fit_bench does.
        for name, fit_all in list(others.items()) * REPEATS:
            start = time.perf_counter()
            constants = fit_all()
            record(name, (time.perf_counter() - start) / PROBLEMS, constants)

    def cost(problem, constants):
        try:
            return sum((model[2](math, x, *constants) - y) ** 2 for x, y in zip(*problem))
        except (OverflowError, ValueError):
            return math.inf

    costs = {name: [cost(p, c) for p, c in zip(problems, all_constants)] for name, all_constants in found.items()}
    lowest = [min(column) for column in zip(*costs.values())]
    worse = {name: sum(c > low * (1 + SAME) for c, low in zip(row, lowest)) for name, row in costs.items()}
    return seconds, worse


def report(model, seconds, worse):
    base = seconds.get("curve_fit")
    print(f"\n{model[1]}, start {model[3]}\n{'':<12}{'fits/s':>10}{'us a fit':>11}{'x curve_fit':>13}{'ended higher':>14}")
    for name, one in seconds.items():
        ratio = "-" if not base else f"{base / one:.0f}" if base / one >= 10 else f"{base / one:.2f}"
        print(f"{name:<12}{1 / one:>10.0f}{1e6 * one:>11.1f}{ratio:>13}{worse[name]:>14}")


def main():
    executable, output = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    warnings.simplefilter("ignore")
    print(f"Fits of formulas to {PROBLEMS} tables of {ROWS} rows, one thread. fit_batch: many formulas of one table;")
    print("fit: one, with standard errors; ended higher: on how many tables another program found a lower sum.")
    results, wrong = {}, False
    for model in MODELS:
        seconds, worse = measure(executable, model)
        report(model, seconds, worse)
        results[model[0]] = {"formula": model[1], "start": model[3], "seconds": seconds, "worse": worse}
        wrong = wrong or worse["fit_batch"] > 0 or worse["fit"] > 0
    if output:
        with open(output, "w") as file:
            json.dump({"rows": ROWS, "models": results}, file, indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
