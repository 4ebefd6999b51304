//! Damage to a sound file, as a fuzzer describes it.

/// A list of changes to some bytes: short inputs that a fuzzer mutates easily, where a whole file would be too long.
pub struct Patches<'d>(&'d [u8]);

/// Bytes of one patch: where (3, as a part of the length or from one end), which (1), by what (1).
const PATCH_BYTES: usize = 5;

impl<'d> Patches<'d> {
    /// The patches that some bytes describe; an incomplete one at the end is left out.
    pub fn of(data: &'d [u8]) -> Self {
        Patches(data)
    }

    /// A patched copy.
    pub fn apply(&self, to: &[u8]) -> Vec<u8> {
        let mut bytes = to.to_vec();
        for patch in self.0.chunks_exact(PATCH_BYTES) {
            let place = usize::from(patch[0]) << 16 | usize::from(patch[1]) << 8 | usize::from(patch[2]);
            apply_one(&mut bytes, place, patch[3], patch[4]);
        }
        bytes
    }
}

fn apply_one(bytes: &mut Vec<u8>, place: usize, kind: u8, value: u8) {
    let length = bytes.len();
    if length == 0 {
        return;
    }
    let at = place % length;
    match kind % 8 {
        0 | 1 => bytes[at] = value,
        2 | 3 => bytes[at] ^= 1 << (value % 8),
        4 => bytes[at] = bytes[at].wrapping_add(value),
        5 => {
            let end = length.min(at + 2 * usize::from(value));
            bytes[at..end].fill(kind);
        }
        6 => {
            // A part of the file in another place.
            let from = usize::from(value) * length / 256;
            let size = usize::from(kind) * 2;
            let size = size.min(length - at).min(length - from);
            bytes.copy_within(from..from + size, at);
        }
        _ if value < 128 => bytes.truncate(at),
        _ => bytes.extend(std::iter::repeat_n(value, usize::from(kind))),
    }
}
