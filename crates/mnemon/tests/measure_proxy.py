"""What `mnemon proxy` costs: the delay of a line, and the speed of the engine, alone and behind it in turns.

measure_proxy.py MNEMON ENGINE [ARGS]

On a machine that does other work the processor time says more than the clock: it is read from Linux' /proc.
"""

import glob
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUND_TRIPS = 3000
NODES = int(os.environ.get("NODES", 2_000_000))
MOVES = [f"{a} {b}" for a in ("e2e4", "d2d4", "c2c4", "g1f3", "b1c3") for b in ("e7e5", "d7d5", "c7c5", "g8f6", "e7e6")]


def processor_seconds(process):
    threads = (open(path).read().split()[0] for path in glob.glob(f"/proc/{process}/task/*/schedstat"))
    return sum(map(int, threads)) / 1e9


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("uci", "uciok")

    def ask(self, command, answer):
        """The seconds until the line that begins with the answer."""
        start = time.perf_counter()
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        while not self.process.stdout.readline().startswith(answer):
            pass
        return time.perf_counter() - start

    def processes(self):
        """The process, and its child if it has one: the engine is the last."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
            return [self.process.pid, *map(int, children.read().split())]

    def search(self, moves):
        """Seconds by the clock, and of processor time: of the engine, and of everything."""
        self.ask("ucinewgame\nisready", "readyok")
        before = [processor_seconds(process) for process in self.processes()]
        elapsed = self.ask(f"position startpos moves {moves}\ngo nodes {NODES}", "bestmove")
        spent = [processor_seconds(process) - start for process, start in zip(self.processes(), before)]
        return elapsed, spent[-1], sum(spent)

    def quit(self):
        self.process.communicate("quit\n")


with tempfile.TemporaryDirectory() as folder:
    os.environ["MNEMON_MEMORY"] = os.path.join(folder, "memory.mnemon")
    alone, behind = Engine(sys.argv[2:]), Engine([sys.argv[1], "proxy", "--", *sys.argv[2:]])
    trips = [(alone.ask("isready", "readyok"), behind.ask("isready", "readyok")) for _ in range(ROUND_TRIPS)]
    medians = [statistics.median(trip[which] for trip in trips) * 1e6 for which in (0, 1)]
    print(f"isready: {medians[0]:.0f} us alone, {medians[1]:.0f} us behind; {(medians[1] - medians[0]) / 2:.0f} us a line")
    ratios = []
    for number, moves in enumerate(MOVES):
        order = (alone, behind) if number % 2 else (behind, alone)
        seconds = {engine: engine.search(moves) for engine in order}
        ratios.append([before / after for before, after in zip(seconds[alone], seconds[behind])])
    for name, which in zip(("clock", "processor time of the engine", "processor time with the proxy"), zip(*ratios)):
        median = statistics.median(which)
        print(f"speed behind / alone by the {name}: median {median:.3f}, {min(which):.3f} to {max(which):.3f}")
    alone.quit()
    behind.quit()
