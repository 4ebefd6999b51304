//! Every replacement scheme against a slow, obvious model that was written from the schemes' descriptions.

mod model;

use mnemon_table::replace::{
    Aged, Always, AnyScheme, Deeper, Latest, Replace, SchemeVisitor, TwoTier, Worth, each_scheme,
};
use mnemon_table::{Compact, Dense, Entry, Layout, Origin, Score, Table, Wide, Window};
use model::Model;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestRunner};

/// One operation on a table.
#[derive(Clone, Debug)]
enum Step {
    Store(u64, Entry),
    NewGeneration,
    Clear,
}

type Small = Compact<200, 2, 4, 5>;

const LINES: usize = 2;
const KEYS: u64 = 40;

/// Keys that spread over all the buckets, and differ in the bits that verify.
fn key(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Windows of every kind, with scores up to `±limit`.
fn windows(limit: Score) -> impl Strategy<Value = Window> {
    let score = -limit..=limit;
    prop_oneof![
        Just(Window::UNKNOWN),
        score.clone().prop_map(Window::exact),
        score.clone().prop_map(Window::at_least),
        score.clone().prop_map(Window::at_most),
        (score.clone(), score).prop_map(|(a, b)| Window { lower: a.min(b), upper: a.max(b) }),
    ]
}

/// Entries that every layout here keeps as they are, tainted windows aside: node counts one below a power of two, few depths and moves (so
/// that ties and gaps are common), and never nothing at all.
fn plain_entries(limit: Score) -> impl Strategy<Value = Entry> {
    let tainted = proptest::bool::weighted(0.3);
    (windows(limit), 1..12_u8, 0..4_u16, 0..12_u32, tainted).prop_map(|(window, depth, best, octave, tainted)| Entry {
        window,
        depth,
        best,
        nodes: (1 << octave) - 1,
        tainted,
        ..Entry::default()
    })
}

/// As [`plain_entries`], with what only the wide layout keeps.
fn wide_entries() -> impl Strategy<Value = Entry> {
    let origin = prop_oneof![6 => Just(Origin::Search), 1 => Just(Origin::Recalled), 1 => Just(Origin::Advice)];
    (plain_entries(Wide::SCORE_LIMIT), proptest::option::of(-50..50_i16), origin, 0..16_u8)
        .prop_map(|(entry, eval, origin, flags)| Entry { eval, origin, flags, ..entry })
}

fn steps(entries: impl Strategy<Value = Entry>) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        60 => (0..KEYS, entries).prop_map(|(number, entry)| Step::Store(key(number), entry)),
        3 => Just(Step::NewGeneration),
        1 => Just(Step::Clear),
    ];
    proptest::collection::vec(step, 1..150)
}

/// After each step, the table's probe equals the model's for every key.
fn agrees<L: Layout, R: Replace>(steps: &[Step], keeps_tainted: bool) -> TestCaseResult {
    let table: Table<L, R> = Table::new(LINES * 64).expect("two lines fit");
    let mut model =
        Model::new(R::NAME, table.ways(), table.capacity(), L::GENERATIONS, keeps_tainted, L::KEEPS_BOTH_BOUNDS);
    for step in steps {
        match *step {
            Step::Store(key, entry) => {
                table.store(key, entry);
                model.store(key, entry);
            }
            Step::NewGeneration => {
                table.new_generation();
                model.new_generation();
            }
            Step::Clear => {
                table.clear(1);
                model.clear();
            }
        }
        for key in (0..KEYS).map(key) {
            prop_assert_eq!(table.probe(key), model.probe(key), "{}, {:x} after {:?}", R::NAME, key, step);
        }
    }
    Ok(())
}

fn check<S: Strategy>(strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    if let Err(failure) = TestRunner::new(config).run(strategy, test) {
        panic!("{failure}");
    }
}

struct WideAgrees;

impl SchemeVisitor for WideAgrees {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        check(&steps(wide_entries()), |steps| agrees::<Wide, R>(&steps, true));
    }
}

struct CompactAgrees;

impl SchemeVisitor for CompactAgrees {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        check(&steps(plain_entries(Small::SCORE_LIMIT)), |steps| agrees::<Small, R>(&steps, false));
    }
}

#[test]
fn every_scheme_does_as_its_model_in_the_wide_layout() {
    each_scheme(&mut WideAgrees);
    WideAgrees.visit(Latest(Aged));
}

/// Entries that the dense layout keeps: with a move, and without a node count.
#[test]
fn the_dense_layout_does_as_the_model() {
    let entries =
        || plain_entries(Dense::SCORE_LIMIT).prop_map(|entry| Entry { best: entry.best + 1, nodes: 0, ..entry });
    check(&steps(entries()), |steps| agrees::<Dense, Aged>(&steps, false));
    check(&steps(entries()), |steps| agrees::<Dense, Latest<Aged>>(&steps, false));
}

#[test]
fn every_scheme_does_as_its_model_in_the_compact_layout() {
    each_scheme(&mut CompactAgrees);
}

/// After each step, the table with a scheme chosen at run time and the table with the type of the scheme have the same
/// entries.
fn chosen_agrees<L: Layout, R: Replace>(chosen: AnyScheme, steps: &[Step]) -> TestCaseResult {
    let table: Table<L, AnyScheme> = Table::with_scheme(LINES * 64, chosen).expect("two lines fit");
    let typed: Table<L, R> = Table::new(LINES * 64).expect("two lines fit");
    prop_assert_eq!((table.ways(), table.scheme()), (typed.ways(), chosen));
    for step in steps {
        match *step {
            Step::Store(key, entry) => {
                table.store(key, entry);
                typed.store(key, entry);
            }
            Step::NewGeneration => {
                table.new_generation();
                typed.new_generation();
            }
            Step::Clear => {
                table.clear(1);
                typed.clear(1);
            }
        }
        for key in (0..KEYS).map(key) {
            prop_assert_eq!(table.lookup(key), typed.lookup(key), "{}, {:x} after {:?}", chosen.name(), key, step);
        }
    }
    Ok(())
}

#[test]
fn a_scheme_chosen_at_run_time_does_as_its_type() {
    fn check_both<R: Replace>(chosen: AnyScheme) {
        check(&steps(wide_entries()), |steps| chosen_agrees::<Wide, R>(chosen, &steps));
        check(&steps(plain_entries(Small::SCORE_LIMIT)), |steps| chosen_agrees::<Small, R>(chosen, &steps));
    }
    for chosen in AnyScheme::ALL {
        match chosen {
            AnyScheme::Aged => check_both::<Aged>(chosen),
            AnyScheme::Always => check_both::<Always>(chosen),
            AnyScheme::Depth => check_both::<Deeper>(chosen),
            AnyScheme::TwoTier => check_both::<TwoTier>(chosen),
            AnyScheme::Worth => check_both::<Worth>(chosen),
        }
    }
}

#[test]
fn schemes_have_the_names_that_users_give() {
    for (scheme, name) in AnyScheme::ALL.into_iter().zip(AnyScheme::NAMES) {
        assert_eq!((scheme.name(), AnyScheme::named(name)), (name, Some(scheme)));
    }
    assert_eq!((AnyScheme::named("Aged"), AnyScheme::named("")), (None, None));
    assert_eq!(AnyScheme::default(), AnyScheme::Aged);
}
