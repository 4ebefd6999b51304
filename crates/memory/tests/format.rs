//! docs/format.md, from the view of another program: a file written by its rules alone is a memory, and its queries work.

mod common;

use common::item;
use mnemon_memory::{Access, Claim, Content, Contributor, Flags, Item, Line, LineSet, Origins, Record, Source, open};
use mnemon_search::random::Random;
use mnemon_table::Window;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

const DOCUMENT: &str = include_str!("../../../docs/format.md");

/// The CRC-32 of the document, bit by bit.
fn check(bytes: &[u8]) -> i32 {
    let mut rest = u32::MAX;
    for &byte in bytes {
        rest ^= u32::from(byte);
        for _ in 0..8 {
            rest = if rest & 1 == 1 { (rest >> 1) ^ 0xedb8_8320 } else { rest >> 1 };
        }
    }
    !rest as i32
}

#[test]
fn another_program_writes_by_the_document() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m");
    drop(open(&path, Access::Create).unwrap());
    let other = Connection::open(&path).unwrap();
    let version: i32 = other.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert!(version & 0xff == 2 && version > 0xff);
    let name = [&1_u32.to_le_bytes()[..], &[2], &5_u32.to_le_bytes(), b"chess", &[0; 4]].concat();
    other.execute("INSERT INTO games VALUES(1, 'chess', ?1)", [check(&name)]).unwrap();
    let (friend, believed) = ([7_u8; 16], [9_u8; 16]);
    let name = [&1_u32.to_le_bytes()[..], &[0], &3_u32.to_le_bytes(), b"bug", &2_u32.to_le_bytes(), b"v9"].concat();
    let name = [&name[..], &1_u32.to_le_bytes(), &[1], &32_u32.to_le_bytes(), &friend, &believed].concat();
    other
        .execute("INSERT INTO sources VALUES(1, 'engine', 'bug', 'v9', ?1, ?2, ?3)", (friend, believed, check(&name)))
        .unwrap();
    let row = [&friend[..], &3_u32.to_le_bytes(), b"Bob", &[1], &7_u32.to_le_bytes()].concat();
    other.execute("INSERT INTO contributors VALUES(?1, 'Bob', 1, 7, ?2)", (friend, check(&row))).unwrap();
    // A lower bound and a root: its time differs from the record's.
    let record = [&[1 + 8 + 16, 5, 0x4d, 0x01, 0x00, 0xf1, 0x53, 0x65][..], &[0xec, 0xff, 9], &[1, 0, 0, 0]].concat();
    let record = [&record[..], &[0, 4, 0x95, 0x9a, 0xef, 0x3a]].concat();
    let key = [&1_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), &[0], b"where"].concat();
    let sealed = [&record[..], &check(&[&key[..], &record].concat()).to_le_bytes()].concat();
    let insert = "INSERT INTO records VALUES(1, ?1, 1, 1700000000, ?2)";
    other.execute(insert, (&b"where"[..], sealed)).unwrap();
    other.execute("INSERT INTO counts VALUES(1, 1, 1)", []).unwrap();
    let hash = check(&[&1_u32.to_le_bytes()[..], b"where"].concat()).to_le_bytes();
    other.execute("INSERT INTO filter VALUES(1, ?1, ?2)", (hash, check(&hash))).unwrap();
    // Two lines of one search.
    let lines = [&[18, 3, 0, 0, 0, 2][..], &[30, 0, 30, 0, 1, 5, 0], &[0, 0x80, 10, 0, 2, 6, 0, 7, 0]].concat();
    let key = [&1_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), &[1], b"where"].concat();
    let sealed = [&lines[..], &check(&[&key[..], &lines].concat()).to_le_bytes()].concat();
    other.execute("INSERT INTO annotations VALUES(1, ?1, 1, 1, ?2)", (&b"where"[..], sealed)).unwrap();

    let store = open(&path, Access::ReadOnly).unwrap();
    let mut found = Vec::new();
    store.get_many("chess", &[b"where"], &mut |_, source, record| found.push((source.clone(), record))).unwrap();
    let source = Source::engine("bug", "v9").contributed_by(friend.into()).believing([believed.into()]);
    let expected = Record {
        lower: Claim { score: -20, depth: 9, time: 1 },
        upper: Claim::NO_UPPER,
        best: 333,
        origins: Origins::SEARCH.union(Origins::PV),
        flags: Flags::ROOT,
        game_ply: Record::NO_PLY,
        root_ply: 3,
        nodes: 123_456_789,
        time: 1_700_000_000,
    };
    assert_eq!(found, [(source.clone(), expected)]);
    let lines = [Line::new(Window::exact(30), [5]), Line::new(Window::at_most(10), [6, 7])];
    let lines = LineSet { depth: 18, time: 3, lines: lines.into() };
    assert_eq!(store.annotations("chess", b"where").unwrap(), [(source, Content::Lines(lines.into()))]);
    let bob = Contributor { id: friend.into(), label: "Bob".to_owned(), trusted: true, since: 7 };
    assert_eq!(store.contributors().unwrap(), [bob]);
    let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap();
    assert!(verified.is_sound(), "{verified:?}");

    let readable = other
        .query_row("SELECT game, position, source, contributor, origins, flags, time FROM readable", [], |row| {
            (0..7).map(|column| row.get(column)).collect::<rusqlite::Result<Vec<String>>>()
        })
        .unwrap();
    assert_eq!(readable, ["chess", "7768657265", "bug v9", "Bob", "search pv", "root", "2023-11-14 22:13:20"]);
}

/// The view reads every shape of a record as the codec does.
#[test]
fn the_view_shows_what_the_records_say() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m");
    let mut random = Random::new(2);
    let items: Vec<_> = (0..500).map(|_| item(&mut random, 400)).collect();
    let store = open(&path, Access::Create).unwrap();
    store.merge_many(&items).unwrap();
    let connection = Connection::open(&path).unwrap();
    let mut statement = connection
        .prepare("SELECT lower, lower_depth, upper, upper_depth, best, source, contributor FROM readable")
        .unwrap();
    let mut shown: Vec<Vec<Option<String>>> = statement
        .query_map([], |row| (0..7).map(|column| text(row.get_ref(column)?)).collect())
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    let claim = |claim: Claim| {
        [claim.is_known().then(|| claim.score.to_string()), claim.is_known().then(|| claim.depth.to_string())]
    };
    let mut expected: Vec<Vec<Option<String>>> = common::scanned(&*store, &mnemon_memory::Range::default())
        .into_iter()
        .map(|Item { key, record }| {
            let [lower, lower_depth] = claim(record.lower);
            let [upper, upper_depth] = claim(record.upper);
            let best = (record.best != 0).then(|| record.best.to_string());
            let contributor = key.source.contributor().map_or("own".to_owned(), |id| id.to_string().to_uppercase());
            let source = Some(key.source.to_string());
            vec![lower, lower_depth, upper, upper_depth, best, source, Some(contributor)]
        })
        .collect();
    shown.sort();
    expected.sort();
    assert_eq!(shown, expected);
}

fn text(value: ValueRef<'_>) -> rusqlite::Result<Option<String>> {
    Ok(match value {
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    })
}

#[test]
fn the_documents_querys_have_answers() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m");
    let mut random = Random::new(1);
    let items: Vec<_> = (0..500).map(|_| item(&mut random, 100)).collect();
    open(&path, Access::Create).unwrap().merge_many(&items).unwrap();
    let connection = Connection::open(&path).unwrap();
    let (_, querys) = DOCUMENT.split_once("```sql\n").unwrap();
    let (querys, _) = querys.split_once("```").unwrap();
    for query in querys.split_inclusive(";\n").filter(|query| query.contains("SELECT")) {
        let mut statement = connection.prepare(query).unwrap();
        let rows = statement.query([]).unwrap().mapped(|_| Ok(())).count();
        assert!(rows > 0 || query.contains("0123abcd") || query.contains("a pawn"), "{query}");
    }
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
    assert!(DOCUMENT.contains(&format!("{application} (`{application:#x}`")));
}
