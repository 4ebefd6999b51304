//! Reading bytes from front to back, and numbers of variable length.

/// The rest of some bytes.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(head)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A number in groups of seven bits, the lowest first; each byte but the last has its highest bit set. `None` for one
    /// that has more bytes than it needs, or does not fit.
    pub(super) fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let byte = self.byte()?;
            let group = u64::from(byte & 0x7f);
            if shift > 63 || group << shift >> shift != group || (byte == 0 && shift > 0) {
                return None;
            }
            number |= group << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }
}

/// Appends a number as [`Bytes::number`] reads it.
pub(super) fn push_number(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_have_one_form() {
        for number in [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            let mut read = Bytes(&bytes);
            assert_eq!((read.number(), read.0), (Some(number), &[][..]));
        }
        assert_eq!(Bytes(&[0x80, 0]).number(), None, "a byte too many");
        assert_eq!(Bytes(&[0x80]).number(), None, "cut off");
        assert_eq!(Bytes(&[0xff; 11]).number(), None, "too large");
    }
}
