//! Records as bytes.

mod common;

use common::{item, search_record};
use mnemon_memory::Record;
use mnemon_memory::codec::{checksum, decode, encode};
use mnemon_search::random::Random;

fn encoded(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(record, &mut bytes);
    bytes
}

#[test]
fn records_survive_their_bytes() {
    let mut random = Random::new(1);
    for _ in 0..200_000 {
        let record = search_record(&mut random);
        assert_eq!(decode(&encoded(&record)), Some(record));
    }
}

/// Whatever the bytes are, they are refused, or they are the bytes of the record that comes of them.
#[test]
fn a_record_has_one_form_in_bytes() {
    let mut random = Random::new(2);
    for _ in 0..200_000 {
        let mut bytes = encoded(&search_record(&mut random));
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
        if let Some(record) = decode(&bytes) {
            assert_eq!(record, record.normalized());
            assert_eq!(decode(&encoded(&record)), Some(record));
        }
    }
}

#[test]
fn a_check_notices_every_single_flipped_bit() {
    let mut random = Random::new(3);
    for _ in 0..2_000 {
        let item = item(&mut random, 100);
        let (position, bytes) = (item.key.position, encoded(&item.record));
        let sound = checksum(1, 1, 0, &position, &bytes);
        let flipped = |bytes: &[u8], bit: usize| {
            let mut flipped = bytes.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            flipped
        };
        for bit in 0..bytes.len() * 8 {
            assert_ne!(checksum(1, 1, 0, &position, &flipped(&bytes, bit)), sound, "bit {bit} of the record");
        }
        for bit in 0..position.len() * 8 {
            assert_ne!(checksum(1, 1, 0, &flipped(&position, bit), &bytes), sound, "bit {bit} of the position");
        }
        let others = [(2, 1, 0), (1, 2, 0), (1, 1, 1)];
        for (game, source, kind) in others {
            assert_ne!(checksum(game, source, kind, &position, &bytes), sound);
        }
    }
}
