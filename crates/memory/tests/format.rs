//! docs/format.md, from the view of another program: a file written by its rules alone is a memory, and its queries work.

mod common;

use common::item;
use mnemon_memory::{Access, Claim, Flags, Origins, Record, Source, open};
use mnemon_search::random::Random;
use rusqlite::Connection;

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
    let name = [&1_u32.to_le_bytes()[..], &[2], &5_u32.to_le_bytes(), b"chess", &[0; 4]].concat();
    other.execute("INSERT INTO games VALUES(1, 'chess', ?1)", [check(&name)]).unwrap();
    let name = [&1_u32.to_le_bytes()[..], &[0], &3_u32.to_le_bytes(), b"bug", &2_u32.to_le_bytes(), b"v9"].concat();
    other.execute("INSERT INTO sources VALUES(1, 'engine', 'bug', 'v9', ?1)", [check(&name)]).unwrap();
    let record = [
        [0xec, 0xff, 0xff, 0x7f, 0x4d, 0x01, 9, 0],
        [0xff, 0xff, 3, 0, 0x00, 0xf1, 0x53, 0x65],
        [5, 1, 0, 0, 0x15, 0xcd, 0x5b, 0x07],
    ]
    .concat();
    let key = [&1_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), b"where"].concat();
    let check = check(&[&key[..], &record, &[0; 4]].concat());
    other
        .execute(
            "INSERT INTO records VALUES(1, ?1, 1, -20, 9, NULL, NULL, 333, 5, 1, NULL, 3, 123456789, 1700000000, ?2)",
            (&b"where"[..], check),
        )
        .unwrap();
    other.execute("INSERT INTO counts VALUES(1, 1, 1)", []).unwrap();

    let store = open(&path, Access::ReadOnly).unwrap();
    let mut found = Vec::new();
    store.get_many("chess", &[b"where"], &mut |_, source, record| found.push((source.clone(), record))).unwrap();
    let expected = Record {
        lower: Claim::new(-20, 9),
        upper: Claim::NO_UPPER,
        best: 333,
        origins: Origins::SEARCH.union(Origins::PV),
        flags: Flags::ROOT,
        game_ply: Record::NO_PLY,
        root_ply: 3,
        nodes: 123_456_789,
        time: 1_700_000_000,
    };
    assert_eq!(found, [(Source::engine("bug", "v9"), expected)]);
    assert!(store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());

    let readable = other
        .query_row("SELECT game, position, source, origins, flags, time FROM readable", [], |row| {
            (0..6).map(|column| row.get(column)).collect::<rusqlite::Result<Vec<String>>>()
        })
        .unwrap();
    assert_eq!(readable, ["chess", "7768657265", "bug v9", "search pv", "root", "2023-11-14 22:13:20"]);
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
