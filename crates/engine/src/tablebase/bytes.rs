//! Reading the header of a table.

use super::header::Damage;

/// The beginning of a file, and how far it is read.
pub(super) struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// A header that does not end within the bytes that were read. The largest one has 8 codes of 12 KiB.
const TOO_LONG: Damage = "its header does not end";

impl<'b> Bytes<'b> {
    pub(super) fn new(bytes: &'b [u8], at: usize) -> Self {
        Bytes { bytes, at }
    }

    /// The offset of the next byte in the file.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'b [u8], Damage> {
        let end = self.at.checked_add(count).ok_or(TOO_LONG)?;
        let taken = self.bytes.get(self.at..end).ok_or(TOO_LONG)?;
        self.at = end;
        Ok(taken)
    }

    pub(super) fn skip(&mut self, count: usize) -> Result<(), Damage> {
        self.take(count).map(|_| ())
    }

    /// Skips to the next multiple of `width`.
    pub(super) fn align(&mut self, width: usize) -> Result<(), Damage> {
        self.skip(self.at.next_multiple_of(width) - self.at)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Damage> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, Damage> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Damage> {
        Ok(u32::from(self.u16()?) | u32::from(self.u16()?) << 16)
    }
}
