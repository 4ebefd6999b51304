//! The page as a browser without JavaScript has it. What needs a browser is in `tests/browser`.

use std::collections::{HashSet, VecDeque};

use mnemon_memory::{Annotation, Content, Contributor, Identity, Key, MemoryId, Note, Record, Source};

use super::client::{Reply, Running, encoded};

/// A server whose memory has something of everything.
fn demonstration() -> Running {
    let server = Running::new();
    let time = 1_700_000_000;
    server.learn("startpos", Record::exact(20, 12).found_at(time));
    server.learn("startpos moves e4", Record::exact(-30, 15).found_at(time));
    server.learn("startpos moves e4 e5", Record::exact(25, 9).found_at(time + 5000));
    server.learn("startpos moves d4", Record::exact(-10, 15).found_at(time));
    server.learn_lines("startpos", 12, &[(20, "e4 e5 Nf3"), (18, "d4 d5")]);
    server
}

/// The addresses of a page's links.
fn links(page: &str) -> Vec<String> {
    let links = page.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.filter(|link| link.starts_with('/')).map(|link| link.replace("&amp;", "&")).collect()
}

/// Nothing inline, which the content security policy would refuse.
fn check_markup(address: &str, reply: &Reply) {
    let page = reply.text();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{address}");
    for forbidden in [" style=", "<style", "javascript:", " onclick=", " onload=", "http://", "https://"] {
        // The name of SVG is an address that nobody asks.
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(forbidden), "{address} has {forbidden}");
    }
    for script in page.split("<script").skip(1) {
        assert!(script.contains(" src=\"/static/") && script.contains("></script>"), "{address}");
    }
}

#[test]
fn every_link_leads_to_a_page() {
    let server = demonstration();
    let starts = ["/", "/chess?moves=e2e4,e7e5&at=1&flip=1", "/connect4?pos=4444443222333535&solver=first", "/memory"];
    let mut waiting: VecDeque<String> = starts.iter().map(|&start| start.to_owned()).collect();
    let mut seen: HashSet<String> = waiting.iter().cloned().collect();
    let mut pages = 0;
    while let Some(address) = waiting.pop_front().filter(|_| pages < 60) {
        let reply = server.get(&address);
        if address == "/" {
            assert!(reply.head.contains("location: /chess"), "{}", reply.head);
            continue;
        }
        assert_eq!(reply.status, 200, "{address}");
        if address.starts_with("/static/") {
            continue;
        }
        pages += 1;
        check_markup(&address, &reply);
        waiting.extend(links(&reply.text()).into_iter().filter(|link| seen.insert(link.clone())));
    }
    assert_eq!(pages, 60, "there are more than that");
}

#[test]
fn a_position_is_drawn_with_its_moves_lines_and_tree() {
    let page = demonstration().get("/chess").text();
    assert_eq!(page.matches("role=\"gridcell\"").count(), 64);
    assert_eq!(page.matches("data-uci=").count(), 20, "every legal move is a link");
    for part in [
        "<h1 id=\"heading\"",
        "href=\"/chess?moves=e2e4\" data-uci=\"e2e4\"",
        "class=\"arrow\"",
        "href=\"/chess?moves=e2e4,e7e5,g1f3\"",
        "engine 1, depth 12",
        "data-tree=\"/chess/tree?moves=e2e4\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn nothing_that_the_memory_holds_is_markup() {
    let server = demonstration();
    let evil = "<script>alert(1)</script>\"onload=\"x";
    let position = mnemon_explore::notation::read(&["startpos".to_owned()], None).expect("a position");
    let key = |source: &Source| Key::new(&position.game(), position.packed(), source);
    let content = Content::Note(Note { time: 1, text: evil.to_owned() });
    let note = Annotation { key: key(&Source::person(evil)), content };
    server.store.merge_annotations(&[note]).expect("RAM");
    let id = MemoryId::from([7; 16]);
    server.store.set_contributor(&Contributor::new(Identity { id, label: evil.to_owned() }, 1)).expect("RAM");
    let record = Record::exact(5, 9).found_at(7);
    let item = mnemon_memory::Item { key: key(&Source::engine(evil, evil).contributed_by(id)), record };
    server.store.merge_many(&[item]).expect("RAM");
    for address in ["/chess", "/memory"] {
        let reply = server.get(address);
        check_markup(address, &reply);
        assert!(reply.text().contains("&lt;script&gt;alert(1)"), "{address}");
    }
    let fen = encoded(evil);
    for address in [format!("/chess?fen={fen}"), format!("/chess?text={fen}"), format!("/connect4?pos={fen}")] {
        let reply = server.get(&address);
        assert_eq!(reply.status, 400, "{address}");
        check_markup(&address, &reply);
    }
}

#[test]
fn a_pasted_game_has_an_address() {
    let server = demonstration();
    let reply = server.get(&format!("/chess?text={}", encoded("1. e4 {[%eval 0.25]} e5 *")));
    assert!(reply.head.contains("location: /chess?moves=e2e4,e7e5&at=0&scores=25,"), "{}", reply.head);
    let answer = server.post("/chess/read", r#"{"text":"1. d4 d5 2. c4"}"#).json();
    assert_eq!((&answer["address"], &answer["moves"]), (&"/chess?moves=d2d4,d7d5,c2c4&at=0".into(), &3.into()));
    assert_eq!(server.post("/chess/read", r#"{"text":"hello"}"#).error().0, 400);
    assert_eq!(server.post("/chess/read", &format!("{{\"text\":\"{}\"}}", "x".repeat(2 << 20))).error().0, 413);
}
