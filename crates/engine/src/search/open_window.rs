//! What a recalled window does on the principal variation, where it lies inside alpha and beta.

use mnemon_table::{Score, Window};

/// What a recalled window that is deep enough does in a PV node, where it lies inside alpha and beta and is not exact. Which is best
/// is a matter of experiment (`mnemon lab learning --rule`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenWindow {
    /// Nothing: the node is searched.
    #[default]
    Searched,
    /// The node is searched within it, and its score does not leave it.
    Narrows,
    /// If it is as narrow as a widened score, its midpoint is the node's score.
    Believed,
}

impl OpenWindow {
    /// The score of a node that is not searched, since its window is believed; `None` if it is searched.
    pub(super) fn believed(self, window: Window) -> Option<Score> {
        const MAX_WIDTH: i32 = 64;
        let width = i32::from(window.upper) - i32::from(window.lower);
        let is_known = window.lower != Window::NO_LOWER && window.upper != Window::NO_UPPER;
        let is_narrow = is_known && (1..=MAX_WIDTH).contains(&width);
        (self == OpenWindow::Believed && is_narrow).then_some(window.lower + (width / 2) as Score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_midpoint_of_a_widened_score_is_believed() {
        let widened = Window { lower: 15, upper: 55 };
        assert_eq!(OpenWindow::Believed.believed(widened), Some(35));
        assert_eq!(OpenWindow::Narrows.believed(widened), None);
        for wide in [Window { lower: 15, upper: 80 }, Window::at_least(15), Window::at_most(55), Window::UNKNOWN] {
            assert_eq!(OpenWindow::Believed.believed(wide), None, "{wide:?}");
        }
    }
}
