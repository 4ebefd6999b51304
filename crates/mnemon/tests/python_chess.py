"""python-chess drives the engine, as a GUI would: `python_chess.py ENGINE`."""

import asyncio
import contextlib
import os
import sys
import tempfile

import chess
import chess.engine

ENGINE = sys.argv[1]
NAJDORF = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"


@contextlib.contextmanager
def engine(**options):
    started = chess.engine.SimpleEngine.popen_uci([ENGINE], timeout=60)
    try:
        started.configure(options)
        yield started
    finally:
        # Waits until everything learned is written.
        started.quit()


def analysis():
    with engine() as uci:
        info = uci.analyse(chess.Board(), chess.engine.Limit(depth=8))
        assert info["depth"] == 8 and info["pv"] and info["nodes"] > 0, info
        assert abs(info["score"].relative.score()) < 300, info


def options():
    with engine() as uci:
        assert uci.options["Hash"].max == 33554432
        assert "resume" in uci.options["Learning"].var
        uci.configure({"Hash": 8, "Threads": 2, "Move Overhead": 50, "UCI_ShowWDL": True})
        info = uci.analyse(chess.Board(), chess.engine.Limit(depth=5))
        wdl = info["wdl"].relative
        assert wdl.wins + wdl.draws + wdl.losses == 1000, info


def several_lines():
    with engine() as uci:
        infos = uci.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=4)
        assert [info["multipv"] for info in infos] == [1, 2, 3, 4], infos
        scores = [info["score"].relative.score() for info in infos]
        assert scores == sorted(scores, reverse=True), scores
        assert len({info["pv"][0] for info in infos}) == 4, infos


def play():
    with engine(Learning="off") as uci:
        board = chess.Board()
        limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01)
        for _ in range(30):
            move = uci.play(board, limit, game="one").move
            assert move in board.legal_moves, (board.fen(), move)
            board.push(move)


def restricted():
    with engine() as uci:
        move = chess.Move.from_uci("g2g4")
        assert uci.play(chess.Board(), chess.engine.Limit(depth=4), root_moves=[move]).move == move


def ponder():
    with engine() as uci:
        board = chess.Board()
        for _ in range(6):
            result = uci.play(board, chess.engine.Limit(time=0.05), ponder=True)
            board.push(result.move)
            # As expected, or not: the pondering is a hit every other time.
            reply = result.ponder if board.ply() % 4 else None
            board.push(reply if reply in board.legal_moves else next(iter(board.legal_moves)))


def stopping():
    with engine() as uci:
        with uci.analysis(chess.Board()) as running:
            for info in running:
                if info.get("depth", 0) >= 6:
                    break
            running.stop()
            best = running.wait()
        assert best.move in chess.Board().legal_moves
        uci.ping()


def mates():
    with engine() as uci:
        board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
        info = uci.analyse(board, chess.engine.Limit(mate=2))
        assert info["score"].relative == chess.engine.Mate(2), info
        board = chess.Board()
        for move in ("f2f3", "e7e5", "g2g4", "d8h4"):
            board.push_uci(move)
        info = uci.analyse(board, chess.engine.Limit(depth=3))
        assert info["score"].relative == chess.engine.Mate(-0), info
        assert uci.play(board, chess.engine.Limit(depth=3)).move is None


def chess960():
    with engine(Learning="off") as uci:
        for number in (0, 111, 518, 765, 959):
            board = chess.Board.from_chess960_pos(number)
            for _ in range(24):
                if board.is_game_over():
                    break
                move = uci.play(board, chess.engine.Limit(nodes=2000)).move
                assert move in board.legal_moves, (board.fen(), move)
                board.push(move)
        board = chess.Board("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", chess960=True)
        castling = chess.Move.from_uci("c1b1")
        assert uci.play(board, chess.engine.Limit(depth=3), root_moves=[castling]).move == castling


def memory():
    infos = []
    for _ in range(2):
        with engine() as uci:
            infos.append(uci.analyse(chess.Board(NAJDORF), chess.engine.Limit(depth=9)))
    cold, warm = infos
    assert warm["depth"] == 9 and warm["pv"][0] == cold["pv"][0], infos
    assert warm["nodes"] * 20 < cold["nodes"], infos


def quitting():
    async def main():
        transport, uci = await chess.engine.popen_uci([ENGINE])
        await uci.analyse(chess.Board(), chess.engine.Limit(depth=3))
        await asyncio.wait_for(uci.quit(), 60)
        assert transport.get_returncode() == 0

    asyncio.run(main())


if __name__ == "__main__":
    for test in (
        analysis, options, several_lines, play, restricted, ponder, stopping, mates, chess960, memory, quitting,
    ):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["MNEMON_MEMORY"] = os.path.join(folder, "learned.mnemon")
            test()
        print(f"python-chess {chess.__version__}: {test.__name__.replace('_', ' ')} ok", flush=True)
