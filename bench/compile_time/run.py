#!/usr/bin/env python3
"""How long differentiation takes to compile: the founding example, with more and more operators.

Each translation unit holds the plain evaluator, or its gradient, or its second derivatives (which
give the values too); a last one holds all three. Printed are the compiler's CPU seconds and peak
memory; beside them, what Enzyme needs for a translation of the same program. FULL=1 adds (6,8) and
(16,16) operators. Writes build/bench/compile_time.json.

    bench/compile_time/run.py [--check]    --check: exit 1 if a goal is missed
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FULL = os.environ.get("FULL", "") not in ("", "0")

# Largest gradient / primal and second order / primal allowed at (4,4), fusion level 2, and the
# largest gradient in seconds.
GRADIENT_GOAL, SECOND_GOAL, SECONDS_GOAL = 3.0, 6.0, 20.0
# Registering operators with the engine: from 32 to 64 at most so many times what 8 to 16 take (4 is
# linear), and CPU seconds an operator with g++.
LINEAR_GOAL, OPERATOR_GOAL = 4.4, 0.4
REGISTRATION_ROUNDS = 5
# A ratio may be this much larger at the largest size than at (2,2): the noise of two compilations.
GROWTH_GOAL = 1.3
RUN_TIME_GOAL = 6.0

# CPU seconds of clang 15 -O2 with Enzyme (first order, reverse, plugin of July 2026): the same
# evaluator, with the tree's nodes linked by pointers as here, and rewritten with indices.
# None: not tried. Second order did not finish in 360 s even for one operator of each kind.
ENZYME = {
    # (binary, unary, fusion): (pointer nodes, index nodes)
    (2, 2, 1): ("crash", "3.2"),
    (2, 2, 2): ("crash", "10.0"),
    (4, 2, 1): (None, "8.1"),
    (4, 2, 2): (None, "36.8"),
    (4, 4, 1): (None, "9.5"),
    (4, 4, 2): ("> 60", "116"),
    (6, 8, 1): (None, "33.1"),
    (6, 8, 2): ("> 60", "> 1200"),
}

KINDS = ("primal", "gradient", "second", "all")

UNIT = """#include "founding/operators.h"
{include}
using namespace founding;
using Ops = FirstOperators<{binary}, {unary}>;
using Column = std::vector<double>;
using Data = Matrix<double>;
{body}
"""
PRIMAL = """Evaluation<double> primal(const Node<double>& tree, const Data& data, const Ops& ops) {{
  return evaluate<{fusion}>(tree, data, ops);
}}"""
GRADIENT = """bool first(const Node<double>& tree, const Data& data, const Ops& ops, Column& out,
           Column& weights, Data& shadow) {{
  return gradient<{fusion}>(tree, data, ops, out, weights, shadow);
}}"""
SECOND = """bool second(const Node<double>& tree, const Data& data, const Ops& ops, Column& out,
            Column& weights, Data& shadow, const Data& along, Data& change) {{
  return second_order<{fusion}>(tree, data, ops, out, weights, shadow, along, change);
}}"""


BODIES = {"primal": (PRIMAL,), "gradient": (GRADIENT,), "second": (SECOND,),
          "all": (PRIMAL, GRADIENT, SECOND)}


def unit(binary, unary, fusion, kind):
    return UNIT.format(
        binary=binary,
        unary=unary,
        include='#include "founding/gradient.h"' if kind != "primal" else "",
        body="\n".join(body.format(fusion=fusion) for body in BODIES[kind]),
    )


REGISTRATION = """#include <vieta/operators.h>
void add_all(vieta::Operators& ops) {{
{operators}}}
"""
# No two operators alike: shapes in turn, each with numbers of its own.
SHAPES = (
    "[](auto x, auto y) {{ return x > y ? {a} * x * y : exp(x - {b} * y); }}",
    "[](auto x) {{ auto s = x; for (int i = 0; i < 5; ++i) s = (s + {a} / (s * s + {b})) / 2; return s; }}",
    "[](auto x, auto y, auto z) {{ if (x < {a}) return y * z; if (y < {b}) return sin(x) + z; return sqrt(x * x + y * y + z * z); }}",
    "[](auto x, auto n) {{ auto p = x; for (auto k = n; k > {b}; k = k - 1) p = p * x + {a}; return p; }}",
)


def registration_unit(count):
    lines = (f'  (void)ops.add("f{i}", {SHAPES[i % len(SHAPES)].format(a=f"{i + 1}.5", b=f"0.{i + 1}")});\n'
             for i in range(count))
    return REGISTRATION.format(operators="".join(lines))


def registration_section(folder):
    """What one operator more costs where C++ callables become operators of the engine."""
    rows = []
    counts = (0, 2, 4, 8, 16, 32, 64)
    print("\nRegistering operators with the engine (ops.add): CPU seconds (peak MB) of one compilation, -O2")
    print(f"{'compiler':12}" + "".join(f"{n:>13}" for n in counts) + "   s/operator  64-32 / 16-8")
    for compiler in compilers():
        seconds = {}
        line = f"{compiler:12}"
        runs = {count: [] for count in counts}
        # The growth is a ratio of differences of a second or two: the least of several rounds, so that
        # what slows the machine for a while meets all sizes.
        for _ in range(REGISTRATION_ROUNDS):
            for count in counts:
                source = folder / f"register_{count}.cc"
                source.write_text(registration_unit(count))
                runs[count].append(compile_once(compiler, source, source.with_suffix(".o")))
        for count in counts:
            cpu, wall, memory = min(runs[count])
            seconds[count] = cpu
            rows.append({"compiler": compiler, "operators": count, "cpu_seconds": round(cpu, 3),
                         "wall_seconds": round(wall, 3), "peak_mb": round(memory, 1)})
            line += f"{f'{cpu:.1f} ({memory:.0f})':>13}"
        growth = (seconds[64] - seconds[32]) / (seconds[16] - seconds[8])
        each = (seconds[64] - seconds[0]) / 64
        rows.append({"compiler": compiler, "seconds_an_operator": round(each, 3),
                     "growth": round(growth, 2)})
        print(f"{line}   {each:10.3f}  {growth:12.2f}", flush=True)
    return rows


def compilers():
    """g++, and the newest clang++ that is here."""
    found = []
    if shutil.which("g++"):
        found.append("g++")
    for name in ("clang++-21", "clang++-20", "clang++-19", "clang++"):
        if shutil.which(name):
            found.append(name)
            break
    return found


def flags():
    return ["-std=c++2b", "-O2", "-ffp-contract=off",
            "-fno-math-errno", f"-I{SOURCE / 'src'}", f"-I{SOURCE / 'examples'}",
            f"-I{SOURCE / 'include'}"]


def compile_once(compiler, source, target):
    """CPU seconds, wall seconds and peak memory (MB) of the compiler and all it starts."""
    start = time.monotonic()
    child = subprocess.Popen([compiler, *flags(), "-c", str(source), "-o", str(target)])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    if child.returncode != 0:
        sys.exit(f"run.py: {compiler} failed on {source}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def measure(compiler, folder, binary, unary, fusion, kind):
    source = folder / f"{kind}_{binary}_{unary}_{fusion}.cc"
    source.write_text(unit(binary, unary, fusion, kind))
    # The least of two, as another process can only add; one is enough where it takes long.
    runs = [compile_once(compiler, source, source.with_suffix(".o"))]
    if runs[0][0] < 15:
        runs.append(compile_once(compiler, source, source.with_suffix(".o")))
    cpu, wall, memory = min(runs)
    return {"compiler": compiler, "binary": binary, "unary": unary, "fusion": fusion, "kind": kind,
            "cpu_seconds": round(cpu, 3), "wall_seconds": round(wall, 3),
            "peak_mb": round(memory, 1)}


def founding_section(folder):
    sizes = [(2, 2), (4, 2), (4, 4)] + ([(6, 8), (16, 16)] if FULL else [])
    rows = []
    print("Founding example: CPU seconds (peak MB) of one compilation, -O2")
    print(f"{'compiler':12} {'ops':>6} {'fusion':>6} {'primal':>12} {'gradient':>13} {'ratio':>6} "
          f"{'second':>13} {'ratio':>6} {'all in one':>13} {'ratio':>6}   "
          "Enzyme, 1st order: pointers / indices")
    for compiler in compilers():
        for fusion in (1, 2):
            for binary, unary in sizes:
                cell = {k: measure(compiler, folder, binary, unary, fusion, k) for k in KINDS}
                rows.extend(cell.values())
                print_row(cell)
    return rows


def print_row(cell):
    first = cell["primal"]
    primal = first["cpu_seconds"]
    line = (f"{first['compiler']:12} {first['binary']:>3},{first['unary']:<2} {first['fusion']:>6} "
            f"{primal:>6.1f} ({first['peak_mb']:.0f})")
    for kind in KINDS[1:]:
        seconds = cell[kind]["cpu_seconds"]
        shown = f"{seconds:.1f} ({cell[kind]['peak_mb']:.0f})"
        line += f" {shown:>13} {seconds / primal:>6.2f}"
    enzyme = ENZYME.get((first["binary"], first["unary"], first["fusion"]), (None, None))
    print(f"{line}   {' / '.join(x or '-' for x in enzyme)}", flush=True)


def run_time_section(folder):
    """Gradient and Hessian-vector product against the plain evaluator on 1,000 rows."""
    rows = []
    print("\nFounding example: run time on 1,000 rows, microseconds (least of 301)")
    for compiler in compilers():
        program = folder / "run_time"
        subprocess.run([compiler, *flags(), str(SOURCE / "bench/compile_time/run_time.cc"), "-o",
                        str(program)], check=True)
        output = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
        for line in output.splitlines():
            tree, primal, gradient, second = line.split("\t")
            row = {"compiler": compiler, "tree": tree, "primal_us": float(primal),
                   "gradient_us": float(gradient), "hessian_vector_us": float(second)}
            rows.append(row)
            print(f"{compiler:12} {tree:18} primal {row['primal_us']:7.1f}   gradient "
                  f"{row['gradient_us']:7.1f} ({row['gradient_us'] / row['primal_us']:.2f})   "
                  f"Hessian-vector {row['hessian_vector_us']:7.1f} "
                  f"({row['hessian_vector_us'] / row['primal_us']:.2f})")
    print("Enzyme's ratios for the same trees: gradient 2.0 to 2.8, Hessian-vector 3.8 to 4.5")
    return rows


def ratio(rows, compiler, size, kind):
    seconds = {r["kind"]: r["cpu_seconds"] for r in rows
               if r["compiler"] == compiler and (r["binary"], r["unary"]) == size
               and r["fusion"] == 2}
    return seconds[kind] / seconds["primal"], seconds[kind]


def missed_goals(registration_rows, compile_rows, run_rows):
    missed = []
    for row in registration_rows:
        if row.get("growth", 0) > LINEAR_GOAL:
            missed.append(f"{row['compiler']}: 32 to 64 operators take {row['growth']} times 8 to 16")
        if row["compiler"] == "g++" and row.get("seconds_an_operator", 0) > OPERATOR_GOAL:
            missed.append(f"g++: {row['seconds_an_operator']} s an operator")
    sizes = sorted({(r["binary"], r["unary"]) for r in compile_rows})
    for compiler in compilers():
        gradient, seconds = ratio(compile_rows, compiler, (4, 4), "gradient")
        second, _ = ratio(compile_rows, compiler, (4, 4), "second")
        if gradient > GRADIENT_GOAL or seconds > SECONDS_GOAL:
            missed.append(f"{compiler}: gradient at (4,4): {gradient:.2f} primals, {seconds:.1f} s")
        if second > SECOND_GOAL:
            missed.append(f"{compiler}: second order at (4,4): {second:.2f} primals")
        for kind in ("gradient", "second"):
            growth = (ratio(compile_rows, compiler, sizes[-1], kind)[0]
                      / ratio(compile_rows, compiler, sizes[0], kind)[0])
            if growth > GROWTH_GOAL:
                missed.append(f"{compiler}: ratio of {kind} grows {growth:.2f} times from "
                              f"{sizes[0]} to {sizes[-1]}")
    for row in run_rows:
        if row["gradient_us"] > RUN_TIME_GOAL * row["primal_us"]:
            missed.append(f"{row['compiler']}: gradient of {row['tree']} takes more than "
                          f"{RUN_TIME_GOAL} primals")
    return missed


# A further section is a function that takes a folder for its files, prints a table and returns a
# list of rows.
SECTIONS = {"registration": registration_section, "founding": founding_section,
            "founding_run_time": run_time_section}


def main():
    if not compilers():
        sys.exit("run.py: neither g++ nor clang++ was found: install one")
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, section in SECTIONS.items():
            results[name] = section(pathlib.Path(folder))
    missed = missed_goals(results["registration"], results["founding"],
                          results["founding_run_time"])
    results["missed_goals"] = missed
    print("\n" + ("Goals missed:\n  " + "\n  ".join(missed) if missed else "All goals met."))
    target = SOURCE / "build" / "bench" / "compile_time.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(results, indent=1) + "\n")
    return 1 if missed and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
