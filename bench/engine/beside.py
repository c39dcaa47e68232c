#!/usr/bin/env python3
"""Node evaluations a second on the engine suite's random trees, one thread: Vieta and Operon (by pyoperon), taking
turns in one run, best of all rounds. Operon computes in single precision. Evaluate is its call for one tree,
EvaluateTrees that for many, given so many that the threads it starts do not count.

Usage: beside.py RANDOM_TREES_BENCH [JSON]   Exits with 1 if Operon computes something else than NumPy.
"""
import json
import os
import subprocess
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

ROUNDS, ROW_COUNTS, GROUPS = 5, (1000, 100000), ("arithmetic", "functions")
# What EvaluateTrees costs before its first tree is some milliseconds; it is given a second or so of work.
NODES_AT_ONCE = 2e8
# Single precision, trees of up to 48 nodes: half the rows within this of NumPy in double precision tell a tree that
# was rebuilt rightly from one that was not, whatever cancels in the others.
SAME = 1e-3


def vieta(executable, rows):
    done = subprocess.run([executable, str(rows)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Operon:
    """The same trees in Operon: postfix too, but a call's last argument comes first."""

    def __init__(self, rows):
        import numpy
        import pyoperon

        self.numpy, self.operon, self.rows = numpy, pyoperon, rows
        source = numpy.random.default_rng(5)
        # Dataset keeps no reference to its memory.
        self.memory = numpy.asfortranarray((0.5 + 1.5 * source.random((rows, 5))).astype(numpy.float32))
        self.data = pyoperon.Dataset(self.memory)
        self.hashes = [variable.Hash for variable in self.data.Variables]
        kind = pyoperon.NodeType
        self.calls = {"+": (2, kind.Add), "-": (2, kind.Sub), "*": (2, kind.Mul), "/": (2, kind.Div),
                      "exp": (1, kind.Exp), "cos": (1, kind.Cos), "log": (1, kind.Log), "tanh": (1, kind.Tanh)}

    def tree(self, postfix):
        stack = []
        for item in postfix:
            if isinstance(item, str):
                arity, kind = self.calls[item]
                arguments = [stack.pop() for _ in range(arity)]
                stack.append([node for argument in arguments for node in argument] + [self.operon.Node(kind)])
            elif isinstance(item, dict):
                node = self.operon.Node(self.operon.NodeType.Variable, self.hashes[item["variable"]])
                node.Value = 1.0
                stack.append([node])
            else:
                node = self.operon.Node(self.operon.NodeType.Constant)
                node.Value = item
                stack.append([node])
        return self.operon.Tree(stack.pop()).UpdateNodes()

    def is_right(self, postfix, tree):
        n, stack = self.numpy, []
        calls = {"+": n.add, "-": n.subtract, "*": n.multiply, "/": n.divide,
                 "exp": n.exp, "cos": n.cos, "log": n.log, "tanh": n.tanh}
        with n.errstate(all="ignore"):
            for item in postfix:
                if isinstance(item, str):
                    arguments = [stack.pop() for _ in range(self.calls[item][0])]
                    stack.append(calls[item](*reversed(arguments)))
                elif isinstance(item, dict):
                    stack.append(self.memory[:, item["variable"]].astype(float))
                else:
                    stack.append(n.full(self.rows, float(item)))
            got = self.operon.Evaluate(tree, self.data, self.operon.Range(0, self.rows)).astype(float)
            wanted = stack.pop().astype(n.float32).astype(float)
            near = (got == wanted) | (n.isnan(got) & n.isnan(wanted)) | (abs(got - wanted) <= SAME * abs(wanted))
        return near.mean() >= 0.5

    def seconds(self, trees, nodes):
        """Of all trees once, by the better of its two calls."""
        reach = self.operon.Range(0, self.rows)

        def one_by_one():
            for tree in trees:
                self.operon.Evaluate(tree, self.data, reach)

        many = trees * max(1, round(NODES_AT_ONCE / (nodes * self.rows)))
        out = self.numpy.empty((len(many), self.rows), dtype=self.numpy.float32)
        repeats = max(1, round(NODES_AT_ONCE / 10 / (nodes * self.rows)))

        def timed(call, times):
            start = time.perf_counter()
            for _ in range(times):
                call()
            return (time.perf_counter() - start) / times

        return {"Evaluate": timed(one_by_one, repeats),
                "EvaluateTrees": timed(lambda: self.operon.EvaluateTrees(many, self.data, reach, out, 1), 1)
                * len(trees) / len(many)}


def count(trees):
    return sum(len(tree) for tree in trees)


def measure(executable, rows):
    """By group and program: node evaluations a second; and whether Operon's values are right."""
    ours = vieta(executable, rows)
    operon, right = None, True
    try:
        operon = Operon(rows)
        built = {group: [operon.tree(tree) for tree in ours[group]["trees"]] for group in GROUPS}
        right = all(operon.is_right(tree, made) for group in GROUPS
                    for tree, made in zip(ours[group]["trees"], built[group]))
    except ImportError as missing:
        print(f"(not compared: {missing})")
    best = {group: {} for group in GROUPS}
    for _ in range(ROUNDS):
        ours = vieta(executable, rows)
        for group in GROUPS:
            nodes = count(ours[group]["trees"])
            seconds = {"vieta " + name: s for name, s in ours[group]["seconds"].items()}
            if operon:
                seconds |= {"operon f32 " + name: s for name, s in operon.seconds(built[group], nodes).items()}
            for name, s in seconds.items():
                best[group][name] = max(best[group].get(name, 0), nodes * rows / s)
    return best, right


def main():
    executable, output = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    results, all_right = {}, True
    print("Random trees of 15 to 48 nodes, 10^9 node evaluations a second, one thread")
    for rows in ROW_COUNTS:
        best, right = measure(executable, rows)
        all_right = all_right and right
        print(f"\n{rows} rows{'' if right else ': Operon computes something else'}\n{'':<26}" +
              "".join(f"{group:>12}" for group in GROUPS))
        for name in best[GROUPS[0]]:
            print(f"{name:<26}" + "".join(f"{best[group][name] / 1e9:>12.2f}" for group in GROUPS))
        results[rows] = best
    if output:
        with open(output, "w") as file:
            json.dump(results, file, indent=1)
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main())
