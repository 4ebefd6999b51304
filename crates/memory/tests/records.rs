//! Records as bytes.

mod common;

use common::{item, search_record};
use mnemon_memory::codec::{checksum, decode, encode};
use mnemon_search::random::Random;

#[test]
fn records_survive_their_bytes() {
    let mut random = Random::new(1);
    for _ in 0..200_000 {
        let record = search_record(&mut random);
        assert_eq!(decode(&encode(&record)), Some(record));
    }
}

#[test]
fn bytes_that_are_no_record_are_refused() {
    let mut bytes = encode(&search_record(&mut Random::new(2)));
    for (at, nonsense) in [(16, 64), (17, 2), (18, 1), (19, 255)] {
        let good = std::mem::replace(&mut bytes[at], nonsense);
        assert_eq!(decode(&bytes), None, "byte {at}");
        bytes[at] = good;
    }
}

#[test]
fn a_check_notices_every_single_flipped_bit() {
    let mut random = Random::new(3);
    for _ in 0..2_000 {
        let item = item(&mut random, 100);
        let sound = checksum(1, &item.key.position, 1, &item.record);
        let bytes = encode(&item.record);
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Some(other) = decode(&flipped) {
                assert_ne!(checksum(1, &item.key.position, 1, &other), sound, "bit {bit} of the record");
            }
        }
        for bit in 0..item.key.position.len() * 8 {
            let mut flipped = item.key.position.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(1, &flipped, 1, &item.record), sound, "bit {bit} of the position");
        }
        assert_ne!(checksum(2, &item.key.position, 1, &item.record), sound);
        assert_ne!(checksum(1, &item.key.position, 2, &item.record), sound);
    }
}
