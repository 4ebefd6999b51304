//! The known tree, compared with a plain negamax over the same positions, and as it is drawn.

use std::collections::{HashMap, HashSet};

use mnemon_explore::notation::{self, Position};
use mnemon_explore::tree::{Bounds, Tree, TreeQuery, dot, recent, svg, text};
use mnemon_memory::recall::Budget;
use mnemon_memory::{Annotation, Content, Flags, Item, Key, MemoryId, Note, Origins, RamStore, Record, Source, Store};
use mnemon_table::Window;

fn own() -> Source {
    Source::engine("mnemon", "0.1.0")
}

fn typed(text: &str) -> Box<dyn Position> {
    notation::read(&[text.to_owned()], None).unwrap_or_else(|error| panic!("{error}"))
}

fn item(position: &dyn Position, source: &Source, record: Record) -> Item {
    Item { key: Key::new(&position.game(), position.packed(), source), record }
}

fn all(plies: u16) -> Bounds {
    Bounds { plies, width: 100, nodes: 100_000, ..Bounds::default() }
}

fn tree_within(store: &RamStore, root: &dyn Position, bounds: Bounds) -> Tree {
    let own = own();
    let query = TreeQuery { bounds, budget: Budget::UNLIMITED, ..TreeQuery::new(&own) };
    root.tree(store, &query).expect("RAM does not fail")
}

/// A memory of everything that follows a position of a small board: positions at the last ply have a score that depends on
/// the position alone, those before it only a move.
struct Model {
    store: RamStore,
    root: Box<dyn Position>,
    plies: u16,
}

impl Model {
    fn new(moves: &str, plies: u16) -> Self {
        let root = notation::read(&[moves.to_owned()], Some("connect4-4x4")).unwrap_or_else(|error| panic!("{error}"));
        let store = RamStore::new();
        let model = Model { store, root, plies };
        model.learn(&*model.root, plies);
        model
    }

    fn is_leaf(position: &dyn Position, plies: u16) -> bool {
        plies == 0 || position.ending().is_some()
    }

    /// Some number between -18 and 18.
    fn score(position: &dyn Position) -> i16 {
        let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        (position.packed().iter().fold(0xCBF2_9CE4_8422_2325, mix) >> 20) as i16 % 37 - 18
    }

    fn learn(&self, position: &dyn Position, plies: u16) {
        let record = if Self::is_leaf(position, plies) {
            Record::exact(Self::score(position).clamp(-18, 18), 1)
        } else {
            let first = position.children().first().map_or(0, |&(code, _)| code);
            Record { best: first, origins: Origins::GAME, ..Record::default() }
        };
        self.store.merge_many(&[item(position, &own(), record)]).expect("RAM does not fail");
        if !Self::is_leaf(position, plies) {
            position.children().iter().for_each(|(_, child)| self.learn(&**child, plies - 1));
        }
    }

    /// Plain negamax.
    fn negamax(position: &dyn Position, plies: u16) -> i16 {
        if Self::is_leaf(position, plies) {
            return Self::score(position).clamp(-18, 18);
        }
        let children = position.children();
        children.iter().map(|(_, child)| -Self::negamax(&**child, plies - 1)).max().unwrap_or_default()
    }
}

/// Positions by the way in which a node of the tree is written.
fn position_of(tree: &Tree, number: usize) -> Box<dyn Position> {
    notation::read(&[tree.nodes[number].position.clone()], Some(&tree.game)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_backed_up_value_is_that_of_a_plain_negamax() {
    for (moves, plies) in [("-", 4), ("12", 5), ("112243", 6), ("44332", 5)] {
        let model = Model::new(moves, plies);
        let tree = tree_within(&model.store, &*model.root, all(plies));
        assert!(tree.is_complete && tree.nodes.len() > 20, "{moves}");
        for (number, node) in tree.nodes.iter().enumerate() {
            let value = Model::negamax(&*position_of(&tree, number), model.plies - node.ply);
            let for_root = if node.ply.is_multiple_of(2) { value } else { -value };
            assert_eq!(node.backed_up.as_ref().and_then(|value| value.score), Some(for_root), "{}", node.position);
        }
    }
}

#[test]
fn every_position_is_expanded_once_where_it_is_nearest() {
    let model = Model::new("12", 5);
    let tree = tree_within(&model.store, &*model.root, all(5));
    let mut expanded: HashMap<&str, usize> = HashMap::new();
    for (number, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.same_as.is_none()) {
        assert_eq!(expanded.insert(&node.packed, number), None, "{} twice", node.position);
    }
    let mut labels = HashSet::new();
    for node in &tree.nodes {
        let target = node.same_as.map(|target| &tree.nodes[target]);
        if let Some(target) = target {
            assert_eq!(target.packed, node.packed);
            assert!(target.ply <= node.ply && target.label.is_some() && !node.repeats);
            assert_eq!(tree.children(expanded[&*node.packed]).count(), position_count(&tree, &node.packed));
        }
        labels.extend(node.label);
    }
    assert_eq!(labels.len(), labels.iter().max().copied().unwrap_or(0), "labels count from 1");
    assert!(!labels.is_empty(), "boards have transpositions");
    // Every reachable position is there.
    let mut reached = HashSet::new();
    reach(&*model.root, 5, &mut reached);
    assert_eq!(reached.len(), expanded.len());
}

fn position_count(tree: &Tree, packed: &str) -> usize {
    let number = tree.nodes.iter().position(|node| node.packed == packed && node.same_as.is_none()).expect("expanded");
    let position = position_of(tree, number);
    if Model::is_leaf(&*position, 5 - tree.nodes[number].ply) { 0 } else { position.children().len() }
}

fn reach(position: &dyn Position, plies: u16, reached: &mut HashSet<Vec<u8>>) {
    reached.insert(position.packed());
    if !Model::is_leaf(position, plies) {
        position.children().iter().for_each(|(_, child)| reach(&**child, plies - 1, reached));
    }
}

#[test]
fn the_main_line_comes_first_and_siblings_are_in_order() {
    let model = Model::new("112243", 6);
    let tree = tree_within(&model.store, &*model.root, all(6));
    for number in 0..tree.nodes.len() {
        let sign = if tree.nodes[number].ply.is_multiple_of(2) { 1 } else { -1 };
        let scores: Vec<i16> = tree
            .children(number)
            .filter_map(|child| tree.nodes[child].backed_up.as_ref()?.score)
            .map(|score| sign * score)
            .collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
    let main: Vec<&str> = tree.nodes[1..].iter().take_while(|node| node.is_main).map(|node| &*node.mv).collect();
    assert_eq!(main, tree.main_line.iter().map(String::as_str).collect::<Vec<_>>());
    let last = &tree.nodes[main.len()];
    assert_eq!(
        last.backed_up.as_ref().map(|value| value.score),
        tree.nodes[0].backed_up.as_ref().map(|value| value.score)
    );
}

#[test]
fn bounds_leave_out_the_worst_and_the_deepest_and_count_them() {
    let model = Model::new("12", 5);
    let whole = tree_within(&model.store, &*model.root, all(5));
    let bounds = Bounds { plies: 3, width: 2, within: Some(4), ..Bounds::default() };
    let tree = tree_within(&model.store, &*model.root, bounds);
    assert!(tree.nodes.iter().all(|node| node.ply <= 3));
    for number in 0..tree.nodes.len() {
        let children: Vec<usize> = tree.children(number).collect();
        assert!(children.len() <= 2);
        let scores: Vec<i16> =
            children.iter().filter_map(|&child| tree.nodes[child].backed_up.as_ref()?.score).collect();
        assert!(scores.iter().all(|score| score.abs_diff(scores[0]) <= 4), "{scores:?}");
        let node = &tree.nodes[number];
        let same = whole.nodes.iter().position(|other| other.packed == node.packed && other.same_as.is_none());
        if node.same_as.is_none() {
            assert_eq!(children.len() + node.more, whole.children(same.expect("there")).count(), "{}", node.position);
        }
    }
    let few = tree_within(&model.store, &*model.root, Bounds { nodes: 7, ..all(5) });
    assert!(few.nodes.len() == 7 && few.is_cut && !whole.is_cut);
}

#[test]
fn a_budget_reads_a_part_and_says_so() {
    let model = Model::new("-", 5);
    let own = own();
    let budget = Budget { positions: 10, ..Budget::UNLIMITED };
    let query = TreeQuery { bounds: all(5), budget, ..TreeQuery::new(&own) };
    let tree = model.root.tree(&model.store, &query).expect("RAM does not fail");
    assert!(!tree.is_complete && tree.known <= 10 && tree.nodes.len() > 1);
    assert!(text::draw(&tree, 80, 0).contains("more below than was read"));
}

/// A small analysis of chess, with a transposition, a bound, a note, a friend's score and a cycle.
fn chess() -> RamStore {
    let store = RamStore::new();
    let friend = Source::engine("fish", "16").contributed_by(MemoryId::from([7; 16]));
    let now = NOW;
    for (line, record) in [
        ("startpos", Record { best: code("startpos", "e4"), flags: Flags::ROOT, ..Record::exact(31, 20) }),
        ("e4", Record { best: code("e4", "e5"), ..Record::exact(-31, 19) }),
        ("e4 e5", Record { best: code("e4 e5", "Nf3"), ..Record::exact(33, 22) }),
        ("e4 e5 Nf3", Record::exact(-33, 21)),
        ("e4 c5", Record { flags: Flags::ROOT, ..Record::exact(38, 16) }),
        ("e4 c5 Nf3", Record::exact(-36, 15)),
        ("d4", Record::exact(-24, 15)),
        ("d4 Nf6", Record::exact(24, 14)),
        ("Nf3", Record::between(Window::at_least(-20), 12)),
        ("Nf3 e5", Record::exact(300, 9)),
        ("Nf3 e5 e4", Record::exact(-33, 8)),
        ("Nf3 Nf6", Record::exact(5, 9)),
        ("Nf3 Nf6 Ng1", Record::exact(5, 9)),
        ("Nf3 Nf6 Ng1 Ng8", Record::exact(5, 9)),
    ] {
        store.merge_many(&[item(&*typed(line), &own(), record.found_at(now - 3 * 86_400))]).expect("RAM");
    }
    store.merge_many(&[item(&*typed("d4 Nf6"), &friend, Record::exact(20, 40).found_at(now - 60))]).expect("RAM");
    let note = Content::Note(Note { time: now, text: "try this".to_owned() });
    let e4 = typed("e4");
    let key = Key::new(&e4.game(), e4.packed(), &Source::person("Ada"));
    store.merge_annotations(&[Annotation { key, content: note }]).expect("RAM");
    store
}

const NOW: u32 = 1_800_000_000;

fn code(position: &str, mv: &str) -> u16 {
    typed(position).read_move(mv).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn moves_that_go_back_and_forth_end() {
    let tree = tree_within(&chess(), &*typed("startpos"), all(60));
    let back = tree.nodes.iter().find(|node| node.repeats).expect("the knights go home");
    assert_eq!((back.name.as_str(), back.same_as), ("2...Ng8", Some(0)));
    assert_eq!(tree.nodes[0].label, Some(1));
    let transposed = tree.nodes.iter().find(|node| node.same_as.is_some() && !node.repeats).expect("a transposition");
    assert_eq!(transposed.packed, tree.nodes[transposed.same_as.expect("one")].packed);
}

#[test]
fn a_value_is_searched_or_backed_up_and_both_are_there() {
    let tree = tree_within(&chess(), &*typed("startpos"), all(4));
    let node = |name: &str| tree.nodes.iter().find(|node| node.name == name).unwrap_or_else(|| panic!("{name}"));
    let e4 = node("1.e4");
    let text = |node: &mnemon_explore::tree::TreeNode| {
        let searched = node.searched.as_ref().map(|searched| searched.value.text.clone());
        (node.backed_up.as_ref().map(|value| value.text.clone()), searched)
    };
    assert_eq!(text(e4), (Some("~+0.33".to_owned()), Some("+0.31".to_owned())), "e5 was searched deeper below");
    assert_eq!((e4.notes, e4.sources, e4.is_main), (1, 1, true));
    let d4 = node("1...Nf6");
    assert_eq!((d4.sources, d4.searched.as_ref().map(|searched| searched.is_believed)), (2, Some(true)));
    assert_eq!(
        tree.nodes.iter().find(|node| node.name == "1.Nf3").map(text).expect("there").1.as_deref(),
        Some("<=+0.20")
    );
    let roots: Vec<&str> = tree.children(0).map(|child| &*tree.nodes[child].name).collect();
    assert_eq!(roots, ["1.e4", "1.d4", "1.Nf3"], "what was only bounded comes last");
}

#[test]
fn some_sources_alone_make_a_tree_of_their_own() {
    let (store, own) = (chess(), own());
    let is_fish = |source: &Source| source.name() == "fish";
    let query = TreeQuery { bounds: all(4), only: Some(&is_fish), ..TreeQuery::new(&own) };
    let tree = typed("d4").tree(&store, &query).expect("RAM does not fail");
    assert_eq!((tree.nodes.len(), tree.known), (2, 1));
    assert_eq!(
        tree.nodes[1].backed_up.as_ref().map(|value| &*value.text),
        Some("-0.20"),
        "who asks for it believes it"
    );
}

#[test]
fn an_unknown_position_and_an_unknown_game_have_a_tree_of_one() {
    let store = chess();
    let tree = tree_within(&store, &*typed("a4 a5"), all(4));
    assert!(tree.is_empty() && tree.nodes.len() == 1 && tree.main_line.is_empty());
    assert_eq!(
        text::draw(&tree, 40, NOW),
        "1.a4 a5\nWhite to move; scores are for White.\nNothing is known of this position and\n  its moves.\n"
    );
    let go = notation::read(&["hex:0a".to_owned()], Some("go")).unwrap_or_else(|error| panic!("{error}"));
    store.merge_many(&[item(&*go, &own(), Record::exact(5, 3))]).expect("RAM");
    let tree = tree_within(&store, &*go, all(4));
    assert_eq!((tree.known, tree.nodes.len()), (1, 1));
    assert!(svg::draw(&tree, NOW).contains("</svg>") && dot::draw(&tree).ends_with("}\n"));
}

#[test]
fn the_drawing_fits_any_terminal() {
    let tree = tree_within(&chess(), &*typed("startpos"), all(60));
    for width in [1, 40, 41, 57, 80, 132, 300] {
        let drawn = text::draw(&tree, width, NOW);
        let longest = drawn.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest <= width.max(text::MIN_WIDTH), "{width}: {longest}\n{drawn}");
        assert_eq!(drawn.lines().filter(|line| line.contains("1.e4 *")).count(), 1, "{drawn}");
    }
}

#[test]
fn json_refers_to_nodes_that_are_there() {
    let tree = tree_within(&chess(), &*typed("startpos"), all(60));
    let json = serde_json::to_value(&tree).expect("JSON");
    let nodes = json["nodes"].as_array().expect("an array");
    assert_eq!(nodes.len(), tree.nodes.len());
    for (number, node) in nodes.iter().enumerate() {
        let parent = node["parent"].as_u64();
        assert!(parent.is_none_or(|parent| (parent as usize) < number) && parent.is_none() == (number == 0));
        for member in
            ["ply", "name", "move", "code", "position", "packed", "is_main", "repeats", "more", "sources", "notes"]
        {
            assert!(!node[member].is_null(), "{member}: {node}");
        }
        if let Some(value) = node.get("backed_up") {
            assert!(value["score"].is_i64() && value["text"].is_string() && value["depth"].is_u64(), "{value}");
        }
    }
    let searched = &nodes[1]["searched"];
    assert_eq!((&searched["source"], &searched["score"]), (&"mnemon 0.1.0".into(), &31.into()));
    for member in ["game", "position", "packed", "scores_for", "main_line", "bounds", "known", "is_complete", "is_cut"]
    {
        assert!(!json[member].is_null(), "{member}");
    }
}

#[test]
fn pictures_have_every_node_and_no_foreign_markup() {
    let store = chess();
    let tree = tree_within(&store, &*typed("startpos"), all(60));
    let drawn = svg::draw(&tree, NOW);
    if let Some(path) = std::env::var_os("MNEMON_TREE_SVG") {
        std::fs::write(path, &drawn).expect("written");
    }
    assert_eq!(drawn.matches("<rect ").count(), tree.nodes.len() + 1, "and the background");
    assert!(svg::is_own(drawn.as_bytes()) && !svg::is_own(b"<svg xmlns=\"x\"><circle/></svg>"));
    let graph = dot::draw(&tree);
    let references = tree.nodes.iter().filter(|node| node.same_as.is_some()).count();
    assert_eq!(graph.matches("style=dashed").count(), references);
    assert_eq!(graph.matches(" -> ").count(), tree.nodes.len() - 1);
    assert!(dot::is_own(graph.as_bytes()) && !dot::is_own(b"digraph {}"));
    let nasty = Source::engine("<script>\"&'", "1");
    store.merge_many(&[item(&*typed("c4"), &nasty, Record::exact(-99, 30).found_at(NOW))]).expect("RAM");
    let drawn = svg::draw(&tree_within(&store, &*typed("startpos"), all(4)), NOW);
    assert!(!drawn.contains("<script>") && drawn.contains("&lt;script&gt;"), "{drawn}");
}

#[test]
fn what_was_analysed_is_listed_with_its_line_and_its_name() {
    let (store, own) = (chess(), own());
    let board = typed("445");
    let root = Record { flags: Flags::ROOT, ..Record::exact(2, 9) };
    store.merge_many(&[item(&*board, &own, root.found_at(NOW - 60))]).expect("RAM");
    let list = |game: Option<&str>, limit| recent::recent(&store, &TreeQuery::new(&own), game, limit).expect("RAM");
    let all = list(None, 10);
    assert_eq!(all.iter().map(|one| &*one.game).collect::<Vec<_>>(), ["connect4-7x6", "chess", "chess"]);
    let sicilian = all.iter().find(|one| !one.line.is_empty() && one.line.len() == 2).expect("a line is known");
    assert_eq!((sicilian.opening, sicilian.name()), (Some("Sicilian Defence"), "Sicilian Defence: 1.e4 c5".to_owned()));
    assert_eq!((list(Some("chess"), 10).len(), list(None, 1).len(), list(Some("go"), 10).len()), (2, 1, 0));
    let drawn = recent::draw(&all, 40, NOW);
    assert!(drawn.lines().all(|line| line.chars().count() <= 40), "{drawn}");
    assert!(drawn.contains("\n    Sicilian Defence: 1.e4 c5\n"), "{drawn}");
}

#[test]
fn the_drawing_at_forty_columns() {
    golden(40, include_str!("data/tree-40.txt"));
}

#[test]
fn the_drawing_at_eighty_columns() {
    golden(80, include_str!("data/tree-80.txt"));
}

fn golden(width: usize, expected: &str) {
    let tree = tree_within(&chess(), &*typed("startpos"), Bounds { within: Some(50), ..all(4) });
    let drawn = text::draw(&tree, width, NOW);
    assert_eq!(drawn, expected, "\n{drawn}");
}
