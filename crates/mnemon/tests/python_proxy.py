"""python-chess as the GUI of an engine behind `mnemon proxy`: python_proxy.py MNEMON ENGINE [ARGS]."""

import logging
import os
import sys
import tempfile

import chess
import chess.engine

warnings = []


class Collector(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())


logging.getLogger("chess.engine").addHandler(Collector(level=logging.WARNING))


def start():
    return chess.engine.SimpleEngine.popen_uci([sys.argv[1], "proxy", "--", *sys.argv[2:]], timeout=60)


def analysed(engine, lines, depth):
    infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=depth), multipv=lines)
    return [(info["depth"], info["score"].white(), info["pv"]) for info in infos]


def restart():
    engine = start()
    cold = analysed(engine, 3, 10)
    engine.quit()
    engine = start()
    warm = analysed(engine, 3, 10)
    assert warm == cold, f"other lines after a restart: {warm}, {cold}"
    return engine


def jump(engine):
    """An analysis without end, forward and backward through a variation: the first line is of the memory."""
    for moves in ([], ["e2e4"], ["e2e4", "e7e5"], ["e2e4"], []):
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        depths = []
        with engine.analysis(board, multipv=3) as analysis:
            for info in analysis:
                if "pv" in info and "depth" in info:
                    depths.append(info["depth"])
                if max(depths, default=0) >= 12:
                    analysis.stop()
        assert moves or depths[0] >= 10, f"what is known does not come first: {depths}"


def play(engine):
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 10:
        board.push(engine.play(board, chess.engine.Limit(nodes=2000), ponder=True).move)


with tempfile.TemporaryDirectory() as folder:
    os.environ["MNEMON_MEMORY"] = os.path.join(folder, "memory.mnemon")
    engine = restart()
    name = engine.id["name"]
    jump(engine)
    play(engine)
    engine.quit()
    assert not warnings, warnings
    print(f"{name} behind the proxy: the lines come back, no warning")
