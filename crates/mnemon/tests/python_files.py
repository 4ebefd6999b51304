"""python-chess judges the files that mnemon reads and writes: `python_files.py MNEMON`.

Games with variations, comments, glyphs and evaluations are read and written again as they were; a known tree, annotated
games, EPD and opening books are read by python-chess without an error, and say what the memory says.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

import chess
import chess.engine
import chess.pgn
import chess.polyglot

MNEMON = os.path.abspath(sys.argv[1])


def mnemon(*arguments, code=0):
    done = subprocess.run([MNEMON, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == code, (arguments, done)
    return done.stdout


def read_games(path):
    games = []
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, (path, game.errors)
            games.append(game)
    return games


def words(text):
    return " ".join((text if isinstance(text, str) else " ".join(text)).split())


def nodes(game):
    """Every node below the game, without recursion."""
    pending, found = [game], []
    while pending:
        node = pending.pop()
        found.append(node)
        pending.extend(reversed(node.variations))
    return found


def outline(game):
    """All that a game has, in the order of its tree."""
    described = []
    for node in nodes(game):
        move = node.move.uci() if node.parent else None
        starting = words(node.starting_comment) if node.parent else ""
        described.append((node.ply(), move, sorted(node.nags), starting, words(node.comment), len(node.variations)))
    return described


def check_numbers(path):
    """Each number of a move is that of the position it stands in, also after comments and in variations."""
    for text in open(path, encoding="utf-8").read().split("\n\n[")[0:]:
        if "\n\n" not in text:
            continue
        tags, movetext = text.split("\n\n", 1)
        setup = re.search(r'FEN "([^"]*)"', tags)
        ply = chess.Board(setup[1] if setup else chess.STARTING_FEN).ply()
        movetext = re.sub(r"\{[^}]*\}", " ", movetext)
        stack, last = [], ply
        for token in re.findall(r"\(|\)|[^\s()]+", movetext):
            if token == "(":
                stack.append(ply)
                ply -= 1
            elif token == ")":
                ply = stack.pop()
            elif number := re.fullmatch(r"(\d+)(\.+)", token):
                assert int(number[1]) == ply // 2 + 1 and len(number[2]) == (3 if ply % 2 else 1), (token, ply, movetext)
            elif not token.startswith("$") and token not in ("1-0", "0-1", "1/2-1/2", "*"):
                ply += 1
        assert not stack and last <= ply


def random_game(seed):
    """A game with variations in variations, comments, glyphs and evaluations."""
    generator = random.Random(seed)
    game = chess.pgn.Game()
    game.headers["Event"] = f"round {seed} é"
    if seed % 3 == 0:
        game.setup(chess.Board("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 9"))
    if seed % 2:
        game.comment = "before the first move"
    known = [game]
    for _ in range(generator.randrange(60)):
        parent = known[-1] if generator.random() < 0.7 else generator.choice(known)
        moves = [move for move in parent.board().legal_moves if not parent.has_variation(move)]
        if not moves:
            continue
        node = parent.add_variation(generator.choice(moves))
        if generator.random() < 0.3:
            node.comment = generator.choice(["good", "a (b) [c] ; d", "1. e4 $1", "zürich %5"])
        if generator.random() < 0.3:
            points = chess.engine.Cp(generator.randrange(-900, 900))
            mate = chess.engine.Mate(generator.choice([-5, -1, 1, 4]))
            score = mate if generator.random() < 0.2 else points
            node.set_eval(chess.engine.PovScore(score, chess.WHITE), generator.choice([None, 20]))
        if generator.random() < 0.2:
            node.set_clock(generator.randrange(6000))
        if generator.random() < 0.3:
            node.nags.add(generator.choice([1, 2, 3, 4, 5, 6, 10, 14, 18, 146]))
        if node is not parent.variations[0] and generator.random() < 0.3:
            node.starting_comment = "instead"
        known.append(node)
    return game


def games_are_read_and_written_as_they_were(folder):
    games = [random_game(seed) for seed in range(120)]
    source, written = f"{folder}/games.pgn", f"{folder}/written.pgn"
    with open(source, "w", encoding="utf-8") as file:
        file.write("\n\n".join(str(game) for game in games) + "\n")
    # From a move that no game has on nothing is analysed, and the games stay as they are.
    mnemon("analyze", "--pgn", source, "--annotate", written, "--from-move", 60000, "--variations", "--no-memory")
    check_numbers(written)
    again = read_games(written)
    assert len(again) == len(games)
    for before, after in zip(read_games(source), again):
        assert outline(before) == outline(after), (str(before), str(after))
        headers = dict(after.headers)
        assert headers.pop("Annotator").startswith("mnemon "), headers
        assert headers == dict(before.headers), headers


def games_are_annotated(folder):
    text = '[White "A"]\n[Annotator "Ada"]\n\n1. f3 {weak} e5 (1... d5 2. e4) 2. g4 $4 {[%eval 9.99]} Qh4# 0-1\n\n1. e4 e5 2. Qh5 Ke7 *\n'
    source, written, memory = f"{folder}/some.pgn", f"{folder}/annotated.pgn", f"{folder}/annotate.mnemon"
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    mnemon("analyze", "--pgn", source, "--annotate", written, "--depth", 7, "--memory", memory)
    first, second = read_games(written)
    check_numbers(written)
    assert first.headers["Annotator"].startswith("Ada, mnemon ") and first.headers["White"] == "A"
    assert [node.san() for node in first.mainline()] == ["f3", "e5", "g4", "Qh4#"]
    assert all(node.eval() is not None and node.eval_depth() is not None for game in (first, second) for node in game.mainline())
    f3, e5, g4, mate = first.mainline()
    assert words(f3.comment).endswith("weak") and g4.eval().white() == chess.engine.Mate(-1), g4.comment
    assert g4.nags == {4} and e5.nags == set() and mate.eval().white() == chess.engine.Mate(-0), mate.comment
    assert [node.san() for node in f3.variations] == ["e5", "d5"], "what stood there stays"
    ke7 = list(second.mainline())[-1]
    assert 4 in ke7.nags and ke7.eval().white() == chess.engine.Mate(1), ke7.comment
    better = ke7.parent.variations[1]
    assert better.san() != "Ke7" and better.eval() is not None and better.variations, "the better line is a variation"


def known(memory):
    return [json.loads(line) for line in mnemon("memory", "--memory", memory, "export").splitlines()]


def a_tree_says_what_the_memory_says(folder):
    source, tree, memory = f"{folder}/rep.pgn", f"{folder}/tree.pgn", f"{folder}/tree.mnemon"
    game = chess.pgn.Game()
    game.headers["Annotator"] = "Ada"
    generator, expected = random.Random(7), {}
    pending = [(game, 0)]
    while pending:
        node, depth = pending.pop()
        score, board = generator.randrange(-200, 200), node.board()
        if board.epd() in expected:
            node.parent.variations.remove(node)
            continue
        expected[board.epd()] = score
        node.comment = f"note {len(expected)}"
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(score), chess.WHITE), 10 + depth)
        for move in generator.sample(list(board.legal_moves), 3 if depth < 4 else 0):
            pending.append((node.add_variation(move), depth + 1))
    with open(source, "w", encoding="utf-8") as file:
        file.write(str(game) + "\n")
    mnemon("memory", "--memory", memory, "import", source)
    mnemon("memory", "--memory", memory, "export", "--to", tree, "--width", 40)
    check_numbers(tree)
    (written,) = read_games(tree)
    assert written.headers["Annotator"] == "Ada"
    found = {}
    for node in nodes(written):
        if "Transposition: " in words(node.comment):
            continue
        found[node.board().epd()] = node.eval().white().score()
        assert re.search(r"note \d+$", words(node.comment)), node.comment
        assert node.eval_depth() == 10 + node.ply(), node.comment
    assert found == expected, (len(found), len(expected))
    records = {" ".join(entry["position"].split()[:4]): entry for entry in known(memory) if "lower" in entry}
    for epd, score in expected.items():
        sign = 1 if " w " in epd else -1
        assert records[epd]["lower"] == sign * score, (epd, score)


def epd_says_what_the_memory_says(folder):
    memory, out = f"{folder}/tree.mnemon", f"{folder}/out.epd"
    mnemon("memory", "--memory", memory, "export", "--to", out)
    records = {" ".join(entry["position"].split()[:4]): entry for entry in known(memory) if "lower" in entry}
    seen, board = set(), chess.Board()
    for line in open(out, encoding="utf-8"):
        operations = board.set_epd(line.strip())
        if "ce" not in operations:
            assert operations["id"].startswith("note ") and operations["c0"] == "Ada (person)", line
            continue
        record = records[board.epd()]
        assert (operations["ce"], operations["acd"]) == (record["lower"], record["lower_depth"]), line
        assert operations["c0"] == "rep.pgn (file)", line
        if "best_move" in record:
            assert operations["bm"] == [board.parse_san(record["best_move"])], line
        seen.add(board.epd())
    assert seen == set(records)
    # What python-chess writes is read.
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -")
    moves = [chess.Move.from_uci("e1g1"), chess.Move.from_uci("e8c8")]
    line = board.epd(acd=12, acn=3400, bm=moves[:1], ce=45, pv=moves, id="a; name", c0="Fish 1")
    with open(f"{folder}/in.epd", "w", encoding="utf-8") as file:
        file.write(line + "\n")
    mnemon("memory", "--memory", f"{folder}/epd.mnemon", "import", f"{folder}/in.epd")
    record, *others = [entry for entry in known(f"{folder}/epd.mnemon") if "lower" in entry]
    assert not others and (record["lower"], record["lower_depth"], record["nodes"]) == (45, 12, 3400), record
    assert record["best_move"] == "O-O" and record["source"]["engine"] == "Fish", record


def a_book_says_what_the_memory_says(folder):
    memory, book = f"{folder}/tree.mnemon", f"{folder}/book.bin"
    mnemon("memory", "--memory", memory, "export", "--to", book, "--width", 40)
    records = {" ".join(entry["position"].split()[:4]): entry for entry in known(memory) if "lower" in entry}
    with chess.polyglot.open_reader(book) as reader:
        pending, seen = [chess.Board()], set()
        while pending:
            board = pending.pop()
            entries = list(reader.find_all(board, minimum_weight=0))
            if board.epd() in seen or not entries:
                continue
            seen.add(board.epd())
            values = {}
            for entry in entries:
                assert entry.move in board.legal_moves, entry
                after = board.copy()
                after.push(entry.move)
                values[entry.move] = -records[after.epd()]["lower"]
                pending.append(after)
            weights = [entry.weight for entry in entries]
            assert weights == sorted(weights, reverse=True) and abs(sum(weights) - 65535) <= len(weights), weights
            assert values[entries[0].move] == max(values.values()), (board.epd(), values)
        assert len(seen) > 20, len(seen)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MNEMON_MEMORY"] = f"{folder}/default.mnemon"
        for check in (
            games_are_read_and_written_as_they_were,
            games_are_annotated,
            a_tree_says_what_the_memory_says,
            epd_says_what_the_memory_says,
            a_book_says_what_the_memory_says,
        ):
            check(folder)
            print(f"{check.__name__}: passed")


main()
