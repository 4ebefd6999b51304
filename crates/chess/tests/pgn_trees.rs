//! Whole games: variations to any depth, comments and glyphs are read as they were written, whatever the text is.

use mnemon_chess::Position;
use mnemon_chess::pgn::{GameError, GameResult, GameTree, NodeId, PgnGame, PgnReader, PgnWriter};
use mnemon_search::random::Random;
use proptest::prelude::*;

fn games(text: &str) -> Vec<PgnGame> {
    PgnReader::new("test", text.as_bytes()).whole().map(|game| game.expect("a text in RAM can be read")).collect()
}

/// The tree of the first game, with the moves in SAN: `e4 (d4 {comment}) e5`.
fn outline(text: &str) -> String {
    let game = games(text).remove(0);
    let tree = game.tree.expect("a tree");
    format!("{}{}", tree[NodeId::ROOT].comment, line(&tree, NodeId::ROOT, &game.start))
}

fn line(tree: &GameTree, parent: NodeId, position: &Position) -> String {
    let mut text = String::new();
    let mut children = tree.children(parent);
    let Some(first) = children.next() else { return text };
    let said = |node: NodeId| {
        let mv = tree[node].mv.expect("a move");
        let nags: String = tree[node].nags.iter().map(|nag| format!("${nag}")).collect();
        let [before, after] = [&tree[node].before, &tree[node].comment]
            .map(|comment| if comment.is_empty() { String::new() } else { format!("{{{comment}}}") });
        (format!("{before}{}{nags}{after}", position.san(mv)), position.after(mv))
    };
    let (words, next) = said(first);
    text += &format!(" {words}");
    for variation in children {
        let (words, next) = said(variation);
        text += &format!(" ({words}{})", line(tree, variation, &next));
    }
    text + &line(tree, first, &next)
}

#[test]
fn a_game_is_read_with_all_that_it_has() {
    let text = "{start} {again} 1. e4! $10 {one}{two} e5 ({before} 1... c5!? {x} (1... e6 2. d4 (2. d3)) 2. Nf3) \
                (1... d5) {three} 2. Nf3 ; to the end ) {\nNc6 ?! += 2... a6 *";
    let expected =
        "start again e4$1$10{one two} e5{three} ({before}c5$5{x} Nf3) (e6 d4 (d3)) (d5) Nf3{to the end ) {} Nc6$6$14";
    assert!(outline(text).starts_with(expected), "{}", outline(text));
    let game = games(text).remove(0);
    assert!(matches!(game.error, Some(GameError::Move { line: 2, .. })), "{:?}", game.error);
    assert_eq!(game.moves.len(), 4);
}

#[test]
fn the_main_line_is_the_same_in_both_ways() {
    let text = "[White \"A\"]\n\n1. e4 {+0.25/12} e5 (1... c5 {[%eval 9.0]}) 2. Nf3 {[%eval 0.3]} (2. Ke3) Nc6 1-0\n1. d4 Ke3 *\n";
    let plain: Vec<PgnGame> = PgnReader::new("test", text.as_bytes()).map(|game| game.expect("readable")).collect();
    let whole = games(text);
    assert_eq!((plain.len(), whole.len()), (2, 2));
    for (plain, whole) in plain.iter().zip(&whole) {
        assert_eq!((&plain.moves, &plain.scores, plain.result), (&whole.moves, &whole.scores, whole.result));
        assert_eq!((&plain.error, plain.number), (&whole.error, whole.number));
        let tree = whole.tree.as_ref().expect("a tree");
        assert_eq!(plain.moves, tree.main_line().filter_map(|node| tree[node].mv).collect::<Vec<_>>());
        assert!(plain.tree.is_none());
    }
    assert!(matches!(whole[0].tree.as_ref().expect("a tree").errors[..], [GameError::Move { line: 3, .. }]));
}

#[test]
fn what_is_wrong_in_a_variation_ends_the_variation() {
    for (text, expected, error) in [
        ("1. e4 (1. d4 Ke3 (2. c4) Nf6) e5 *", " e4 (d4) e5", "line 1, move 1...: "),
        ("1. e4 (1. d4 -- 2. c4) e5 *", " e4 (d4) e5", "a null move"),
        ("(1. d4) 1. e4 *", " e4", "no move stands before"),
        ("1. e4 ) e5 1-0", " e4 e5", ""),
        ("1. e4 () e5 (", " e4 e5", ""),
    ] {
        assert_eq!(outline(text), expected, "{text}");
        let errors = games(text).remove(0).tree.expect("a tree").errors;
        let said = errors.first().map(ToString::to_string).unwrap_or_default();
        assert!(said.contains(error) && said.is_empty() == error.is_empty(), "{text}: {said}");
    }
    let [game] = &games("[FEN \"8/8\"]\n\n{x} 1. e4 (1. d4) *")[..] else { panic!("one game") };
    assert!(matches!(game.error, Some(GameError::Fen(_))) && game.moves.is_empty());
    assert_eq!(games("[White \"A\"]\n\n*\n")[0].tree, Some(GameTree::default()));
}

/// `1. e4 (1. e4 (1. e4 ...))`, deeper than any stack of calls.
#[test]
fn nesting_is_bounded_by_no_stack() {
    let nested = |depth: usize| format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let game = games(&nested(10_000)).remove(0);
    let tree = game.tree.expect("a tree");
    assert_eq!((tree.moves(), tree.children(NodeId::ROOT).count(), tree.errors.len()), (10_002, 10_001, 0));
    let too_deep = games(&nested(100_000)).remove(0);
    let tree = too_deep.tree.expect("a tree");
    assert!(matches!(tree.errors[..], [GameError::TooLarge { line: 1 }]));
    assert_eq!(too_deep.moves.len(), 2, "the main line goes on after it");
    let long = games(&nested(1_000_000)).remove(0);
    assert!(matches!(long.error, Some(GameError::TooLarge { line: 1 })), "{:?}", long.error);
}

/// A random tree: lines with variations, some with glyphs and comments.
fn random_tree(start: &Position, random: &mut Random, moves: usize) -> GameTree {
    const WORDS: [&str; 7] = ["a", "b]c", "[%eval 0.3,9]", "(", "$1", "%50", "1. e4 é ; \\"];
    let mut tree = GameTree::default();
    let mut known = vec![(NodeId::ROOT, start.clone())];
    let comment = |random: &mut Random| -> String {
        let words: Vec<&str> = (0..random.below(6)).map(|_| WORDS[random.below(WORDS.len())]).collect();
        if random.below(3) == 0 { words.join(" ") } else { String::new() }
    };
    tree[NodeId::ROOT].comment = comment(random);
    for _ in 0..moves {
        // Mostly the last line goes on.
        let at = if random.below(4) > 0 { known.len() - 1 } else { random.below(known.len()) };
        let (parent, position) = known[at].clone();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let Some(&mv) = legal.get(random.below(legal.len().max(1))) else { continue };
        let is_variation = tree.children(parent).next().is_some();
        let node = tree.add(parent, mv);
        if is_variation {
            tree[node].before = comment(random);
        }
        tree[node].comment = comment(random);
        if random.below(3) == 0 {
            tree[node].nags.push(random.below(140) as u8);
        }
        known.push((node, position.after(mv)));
    }
    tree
}

#[test]
fn a_tree_is_read_as_it_was_written() {
    let mut random = Random::new(18);
    for round in 0..400 {
        let start = Position::chess960_start(random.below(960) as u32).expect("a start");
        let tree = random_tree(&start, &mut random, round);
        let mut writer = PgnWriter::new(&start);
        writer.tag("Variant", "Chess960").setup_tags().tree(&tree);
        let text = writer.finish(GameResult::Unknown);
        assert!(text.lines().all(|line| line.chars().count() <= 120 || line.starts_with('[')), "{text}");
        let [game] = &games(&text)[..] else { panic!("one game: {text}") };
        assert_eq!((&game.error, game.result), (&None, GameResult::Unknown));
        assert!(game.tree.as_ref() == Some(&tree), "{text}\n{tree:?}\n{:?}", game.tree);
        let mut visited = 0;
        tree.walk(&start, |node, position| {
            assert!(tree[node].mv.is_some_and(|mv| position.is_legal(mv)));
            visited += 1;
        });
        assert_eq!(visited, tree.moves());
    }
}

/// What can be written: PGN cannot escape a brace.
fn without_braces(mut tree: GameTree, start: &Position) -> GameTree {
    let mut nodes = vec![NodeId::ROOT];
    tree.walk(start, |node, _| nodes.push(node));
    for node in nodes {
        let comment = &mut tree[node];
        comment.before = comment.before.replace(['{', '}'], "'");
        comment.comment = comment.comment.replace(['{', '}'], "'");
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// Whatever a text is: its trees have legal moves, and are read again as they were.
    #[test]
    fn no_text_panics(text in "([1-3][.]|e4|e5|d4|Nf3|Nc6|[{}();%\\[\\]$é*\" \n]|1-0|--|\\$[0-9]{1,3}|[!?]{1,2}|[{]|[}]|[(]|[)]| ){0,60}") {
        for game in games(&text) {
            let tree = without_braces(game.tree.expect("a tree"), &game.start);
            tree.walk(&game.start, |node, position| assert!(tree[node].mv.is_some_and(|mv| position.is_legal(mv))));
            let mut writer = PgnWriter::new(&game.start);
            let written = { writer.tag("Event", "?").tree(&tree); writer.finish(game.result) };
            let again = games(&written).remove(0);
            prop_assert!(again.tree.as_ref() == Some(&tree), "{}", written);
        }
    }
}
