//! What a GUI knows of a conversation: what it has sent, and what must come.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use mnemon_chess::Position;
use mnemon_engine::GameHistory;
use mnemon_uci::{Command, EngineLine, GoCommand, Info, ParsedCommand, PositionCommand};

/// A `go` that is not answered yet.
struct Go {
    command: String,
    position: Position,
    /// The moves that may be answered; none if there is no legal move.
    allowed: Vec<String>,
    /// It must not be answered before it is ended, by `stop` or the like.
    is_unlimited: bool,
    /// It must not be answered before it is ended, or `ponderhit` is sent.
    is_pondering: bool,
    /// Something was sent that may have ended it.
    is_ended: bool,
    /// Something was sent that has ended it, or will.
    is_stopped: bool,
}

/// The state of a conversation. It is told of each line before that is sent, and of each line that comes.
#[derive(Default)]
pub(super) struct Model {
    game: GameHistory,
    chess960: bool,
    pending: VecDeque<Go>,
    /// When each `isready` was sent that is not answered.
    readies: VecDeque<Instant>,
    unanswered_uci: usize,
    /// Whether a command was sent whose answer is not UCI.
    has_extensions: bool,
    pub(super) slowest_ready: Duration,
    pub(super) gos: usize,
    /// The first thing that was wrong.
    pub(super) error: Option<String>,
}

/// Options that a running search does not notice.
const HARMLESS: [&str; 12] = [
    "MultiPV",
    "Ponder",
    "Move Overhead",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_AnalyseMode",
    "OwnBook",
    "Book File",
    "Memory File",
    "Learning",
    "Memory Depth",
    "Recall Budget",
];

impl Model {
    /// The position that the next `go` searches.
    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn chess960(&self) -> bool {
        self.chess960
    }

    /// Whether every `go` is answered.
    pub(super) fn is_idle(&self) -> bool {
        self.pending.is_empty()
    }

    /// Whether a `go` runs that need not end by itself.
    pub(super) fn needs_stop(&self) -> bool {
        let is_endless = |go: &Go| go.is_unlimited || go.is_pondering || go.command.contains("mate");
        self.pending.iter().any(|go| !go.is_stopped && is_endless(go))
    }

    pub(super) fn is_ready(&self) -> bool {
        self.readies.is_empty()
    }

    /// Notes a line that is about to be sent.
    pub(super) fn sending(&mut self, line: &str) {
        match line.split_ascii_whitespace().next() {
            Some("bench") => self.end_searches(),
            Some("d" | "eval" | "help") => {}
            _ => return self.sending_command(Command::parse(line), line),
        }
        self.has_extensions = true;
    }

    fn sending_command(&mut self, parsed: ParsedCommand, line: &str) {
        match parsed.command {
            Some(Command::Uci) => self.unanswered_uci += 1,
            Some(Command::IsReady) => self.readies.push_back(Instant::now()),
            Some(Command::NewGame | Command::Stop | Command::Quit) => self.end_searches(),
            Some(Command::PonderHit) => self.pending.iter_mut().for_each(|go| go.is_pondering = false),
            Some(Command::Position(position)) => self.set_position(&position),
            Some(Command::Go(go)) => self.go(&go, line),
            Some(Command::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Some(Command::Debug(_)) | None => {}
        }
    }

    /// The input ends, or a command ends every search.
    pub(super) fn end_searches(&mut self) {
        self.pending.iter_mut().for_each(|go| (go.is_ended, go.is_stopped) = (true, true));
    }

    fn set_position(&mut self, command: &PositionCommand) {
        let start = command.fen.as_ref().map_or(Ok(Position::start()), |fen| fen.parse::<Position>());
        let start = start.map(|position| position.with_chess960(self.chess960));
        if let Ok(game) = start.and_then(|start| GameHistory::new(start, command.moves.iter().map(String::as_str))) {
            self.game = game;
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if name.eq_ignore_ascii_case("UCI_Chess960") && matches!(value, Some("true" | "false")) {
            self.chess960 = value == Some("true");
            self.game = self.game.clone().with_chess960(self.chess960);
        }
        if !HARMLESS.iter().any(|harmless| harmless.eq_ignore_ascii_case(name)) {
            // Unless there is no such option, or the value is not of its kind.
            self.pending.iter_mut().for_each(|go| go.is_ended = true);
        }
    }

    fn go(&mut self, go: &GoCommand, line: &str) {
        self.end_searches();
        if go.perft.is_some() {
            self.has_extensions = true;
            return;
        }
        let position = self.game.position().clone();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let wanted: Vec<_> = go.searchmoves.iter().filter_map(|text| position.parse_uci(text).ok()).collect();
        let allowed = if wanted.is_empty() { legal } else { wanted };
        let allowed = allowed.into_iter().map(|mv| position.uci(mv)).collect();
        self.gos += 1;
        self.pending.push_back(Go {
            command: line.to_owned(),
            position,
            allowed,
            is_unlimited: go.is_unlimited(),
            is_pondering: go.ponder,
            is_ended: false,
            is_stopped: false,
        });
    }

    /// Judges a line that came.
    pub(super) fn came(&mut self, line: &str) {
        if let Err(wrong) = self.judge(line) {
            self.error.get_or_insert(format!("{wrong}: {line}"));
        }
    }

    fn judge(&mut self, line: &str) -> Result<(), String> {
        if line.chars().any(char::is_control) {
            return Err("a control character".to_owned());
        }
        if line.contains("this is a bug") {
            return Err("the search failed".to_owned());
        }
        let parsed = EngineLine::parse(line);
        if parsed.to_string() != line {
            return Err(format!("not as UCI writes it, which is '{parsed}'"));
        }
        match parsed {
            EngineLine::BestMove(best) => self.best_move(&best.mv, best.ponder.as_deref()),
            EngineLine::Info(info) => self.info(&info),
            EngineLine::ReadyOk => {
                let sent = self.readies.pop_front().ok_or("an answer that nobody asked for")?;
                self.slowest_ready = self.slowest_ready.max(sent.elapsed());
                Ok(())
            }
            EngineLine::UciOk => {
                self.unanswered_uci = self.unanswered_uci.checked_sub(1).ok_or("an answer that nobody asked for")?;
                Ok(())
            }
            EngineLine::IdName(_) | EngineLine::IdAuthor(_) | EngineLine::Option(_) if self.unanswered_uci > 0 => {
                Ok(())
            }
            EngineLine::Other(_) if self.has_extensions => Ok(()),
            _ => Err("a line that nobody asked for".to_owned()),
        }
    }

    fn best_move(&mut self, best: &str, ponder: Option<&str>) -> Result<(), String> {
        let go = self.pending.pop_front().ok_or("a move that nobody asked for")?;
        if !go.is_ended && (go.is_unlimited || go.is_pondering) {
            return Err(format!("the answer to '{}' came early", go.command));
        }
        if go.allowed.is_empty() {
            return if best == "(none)" && ponder.is_none() {
                Ok(())
            } else {
                Err("there is no legal move".to_owned())
            };
        }
        if !go.allowed.iter().any(|allowed| allowed == best) {
            return Err(format!("not among the moves of '{}' in {}", go.command, go.position));
        }
        let after = go.position.play_uci(best).map_err(|error| error.to_string())?;
        ponder.map_or(Ok(()), |ponder| after.parse_uci(ponder).map(drop)).map_err(|error| error.to_string())
    }

    /// A line of play must be of the position that is searched.
    fn info(&self, info: &Info) -> Result<(), String> {
        if info.pv.is_empty() {
            return Ok(());
        }
        let go = self.pending.front().ok_or("a line of play without a search")?;
        let played = info.pv.iter().try_fold(go.position.clone(), |position, mv| position.play_uci(mv));
        played.map(drop).map_err(|error| format!("{error} in the line of '{}'", go.command))
    }

    /// What is missing at the end.
    pub(super) fn missing(&self) -> Option<String> {
        let unanswered = self.pending.front().map(|go| format!("no answer to '{}'", go.command));
        let unready = (!self.is_ready()).then(|| "no answer to an isready".to_owned());
        unanswered.or(unready).or_else(|| (self.unanswered_uci > 0).then(|| "no answer to a uci".to_owned()))
    }
}
