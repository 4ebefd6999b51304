"""What `mnemon proxy` costs: the delay of a line, and the speed of the engine, alone and behind it in turns.

measure_proxy.py MNEMON ENGINE [ARGS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUND_TRIPS = 3000
NODES = 2_000_000
MOVES = [f"{a} {b}" for a in ("e2e4", "d2d4", "c2c4", "g1f3", "b1c3") for b in ("e7e5", "d7d5", "c7c5", "g8f6", "e7e6")]


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

    def search(self, moves):
        self.ask("ucinewgame\nisready", "readyok")
        return self.ask(f"position startpos moves {moves}\ngo nodes {NODES}", "bestmove")

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
        ratios.append(seconds[alone] / seconds[behind])
    print(f"speed behind / alone: median {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}")
    alone.quit()
    behind.quit()
