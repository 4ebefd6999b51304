//! Why there is no table of the requested size. Written out by hand, so that the table itself needs no derive macro.

use std::{error, fmt, io};

/// Why a table of the requested size cannot be allocated. A table that was to be resized is unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// The requested size is less than one cache line.
    TooSmall {
        /// The requested size.
        bytes: usize,
        /// The size of the smallest table.
        least: usize,
    },
    /// The requested size is more than the machine's memory.
    TooLarge {
        /// The requested size.
        bytes: usize,
        /// The machine's physical memory, or the address space where that is not known.
        memory: usize,
    },
    /// The system refused the memory.
    Refused {
        /// The requested size.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall { bytes, least } => {
                write!(formatter, "a table of {bytes} bytes cannot hold anything: ask for {least} bytes or more")
            }
            Self::TooLarge { bytes, memory } => write!(
                formatter,
                "a table of {bytes} bytes does not fit this machine's {memory} bytes of memory: ask for less"
            ),
            Self::Refused { bytes, source } => {
                write!(formatter, "the system refused {bytes} bytes for the table ({source}): ask for less")
            }
        }
    }
}

impl error::Error for TableError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Refused { source, .. } => Some(source),
            Self::TooSmall { .. } | Self::TooLarge { .. } => None,
        }
    }
}
