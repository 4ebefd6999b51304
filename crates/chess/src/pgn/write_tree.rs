//! Writing a tree: each line with its variations where they leave it.

use super::PgnWriter;
use super::tree::{GameTree, NodeId};

/// What is still to be written.
enum Task {
    /// A line goes on after this move.
    Continue(NodeId),
    /// A variation, which begins with this move.
    Variation(NodeId),
    /// A variation ends.
    Close,
}

impl PgnWriter {
    /// Adds all moves of a tree, from the position that the writer stands at, with variations, glyphs and comments.
    ///
    /// The moves must be legal there, as those of a game that was read are.
    pub fn tree(&mut self, tree: &GameTree) -> &mut Self {
        self.comment(&tree[NodeId::ROOT].comment);
        let mut tasks = vec![Task::Continue(NodeId::ROOT)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => _ = self.end_variation(),
                Task::Variation(first) => {
                    self.begin_variation();
                    self.node(tree, first);
                    tasks.extend([Task::Close, Task::Continue(first)]);
                }
                Task::Continue(node) => {
                    let mut children = tree.children(node);
                    let Some(next) = children.next() else { continue };
                    self.node(tree, next);
                    tasks.push(Task::Continue(next));
                    let written = tasks.len();
                    tasks.extend(children.map(Task::Variation));
                    // The last task is the first to be done.
                    tasks[written..].reverse();
                }
            }
        }
        self
    }

    fn node(&mut self, tree: &GameTree, id: NodeId) {
        let node = &tree[id];
        let Some(mv) = node.mv else { return };
        self.comment(&node.before).play(mv);
        node.nags.iter().for_each(|&nag| _ = self.nag(nag));
        self.comment(&node.comment);
    }
}
