#!/usr/bin/env python3
"""Fits a second of a*exp(-b*x) + c on 100 rows from a start that is far off, one thread: Vieta,
scipy.optimize.curve_fit and lmfit, taking turns in one run, best of all rounds.

Usage: run.py FIT_BENCH [JSON]   Exits with 1 if two programs disagree on any constant.
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

START = (1.0, 1.0, 0.0)
ROWS, PROBLEMS, ROUNDS = 100, 20, 5
# All minimise the same sum; the slackest stops at 1e-8 of it, some 1e-5 of a standard error.
AGREE = 1e-4


def make_problems():
    source = random.Random(7)
    problems = []
    for _ in range(PROBLEMS):
        a, b, c = source.uniform(3, 10), source.uniform(0.2, 0.6), source.uniform(0.5, 3)
        x = [10 * (r + 0.5) / ROWS for r in range(ROWS)]
        problems.append((x, [a * math.exp(-b * v) + c + source.gauss(0, 0.05) for v in x]))
    return problems


def vieta(executable, problems):
    text = " ".join(map(str, START)) + "\n"
    for x, y in problems:
        text += f"{len(x)}\n" + "".join(f"{u!r} {v!r}\n" for u, v in zip(x, y))
    done = subprocess.run([executable], input=text, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def python_fits(problems):
    """name -> function that fits all problems and returns the constants."""
    try:
        import lmfit
        import numpy
        from scipy.optimize import curve_fit
    except ImportError as missing:
        print(f"(not compared: {missing})")
        return {}
    arrays = [(numpy.array(x), numpy.array(y)) for x, y in problems]

    def model(x, a, b, c):
        return a * numpy.exp(-b * x) + c

    lm = lmfit.Model(model)
    a, b, c = START
    return {
        "curve_fit": lambda: [curve_fit(model, x, y, START)[0].tolist() for x, y in arrays],
        "lmfit": lambda: [list(lm.fit(y, x=x, a=a, b=b, c=c).best_values.values()) for x, y in arrays],
    }


def main():
    executable, output = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    warnings.simplefilter("ignore")
    problems = make_problems()
    seconds, found = {}, {}

    def record(name, time_of_one, constants):
        seconds[name] = min(seconds.get(name, math.inf), time_of_one)
        found[name] = constants

    others = python_fits(problems)
    for _ in range(ROUNDS):
        ours = vieta(executable, problems)
        record("vieta, many formulas of one table", ours["batch"]["seconds"], ours["batch"]["found"])
        record("vieta fit, with standard errors", ours["fit"]["seconds"], ours["fit"]["found"])
        for name, fit_all in others.items():
            start = time.perf_counter()
            constants = fit_all()
            record(name, (time.perf_counter() - start) / PROBLEMS, constants)

    base = seconds.get("curve_fit")
    print(f"Fits of a*exp(-b*x) + c, {ROWS} rows, start {START}, {PROBLEMS} tables, one thread.")
    print(f"{'':<36}{'fits/s':>10}{'us a fit':>11}{'x curve_fit':>13}")
    for name, one in seconds.items():
        ratio = f"{base / one:.0f}" if base and not name == "curve_fit" and base / one >= 10 else (
            f"{base / one:.2f}" if base else "-")
        print(f"{name:<36}{1 / one:>10.0f}{1e6 * one:>11.1f}{ratio:>13}")
    if output:
        with open(output, "w") as file:
            json.dump({"seconds": seconds, "rows": ROWS, "start": START}, file, indent=1)
    reference = found["vieta fit, with standard errors"]
    wrong = [
        (name, k)
        for name, constants in found.items()
        for k, (got, wanted) in enumerate(zip(constants, reference))
        if not all(abs(g - w) <= AGREE * abs(w) for g, w in zip(got, wanted))
    ]
    for name, k in wrong:
        print(f"table {k}: {name} found {found[name][k]}, vieta fit {reference[k]}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
