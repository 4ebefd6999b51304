//! What an engine has said of itself and what it was set to, as far as its scores depend on it.

use std::collections::BTreeMap;

use mnemon_memory::Source;

use crate::{EngineLine, OptionDecl, OptionKind};

/// An engine's name, its options and their values.
///
/// ```
/// use mnemon_memory::Source;
/// use mnemon_uci::EngineLine;
/// use mnemon_uci::observer::EngineProfile;
///
/// let mut profile = EngineProfile::new("stockfish");
/// for line in ["id name Stockfish 15.1", "option name EvalFile type string default nn-ad9b42354671.nnue"] {
///     profile.hear(&EngineLine::parse(line));
/// }
/// assert_eq!(profile.source(), Some(Source::engine("Stockfish", "15.1")));
/// profile.set("EvalFile", Some("/nets/nn-other.nnue"));
/// assert_eq!(profile.source(), Some(Source::engine("Stockfish", "15.1+nn-other")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct EngineProfile {
    name: String,
    options: Vec<OptionDecl>,
    /// By the names in lower case, since their case does not matter.
    values: BTreeMap<String, String>,
}

/// The longest name or version of a source.
const LONGEST_NAME: usize = 255;

impl EngineProfile {
    /// An engine of which only the program's name is known.
    pub fn new(program: &str) -> Self {
        EngineProfile { name: program.to_owned(), ..EngineProfile::default() }
    }

    /// Takes what a line says of the engine itself: its name, or an option.
    pub fn hear(&mut self, line: &EngineLine) {
        match line {
            EngineLine::IdName(name) if !name.trim().is_empty() => name.clone_into(&mut self.name),
            EngineLine::Option(option) => {
                self.options.retain(|known| !known.is_named(&option.name));
                self.options.push(option.clone());
            }
            _ => {}
        }
    }

    /// Takes the value that an option was set to.
    pub fn set(&mut self, name: &str, value: Option<&str>) {
        self.values.insert(name.to_ascii_lowercase(), value.unwrap_or_default().trim().to_owned());
    }

    /// The name that the engine gave itself, or else its program's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it declared.
    pub fn options(&self) -> &[OptionDecl] {
        &self.options
    }

    /// The option of this name, in whatever case, if the engine has it.
    pub fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.options.iter().find(|option| option.is_named(name))
    }

    /// The engine as the author of records: its name up to the last word that has a digit, and that word as its version.
    /// What changes its scores is added to the version: `+net` for a net that is not its default, `+tb` for tablebases, and
    /// options of contempt. `None` if the name is too long to be kept.
    pub fn source(&self) -> Option<Source> {
        let words: Vec<&str> = self.name.split_whitespace().collect();
        let at = words.iter().rposition(|word| word.bytes().any(|byte| byte.is_ascii_digit()));
        let at = at.filter(|&at| at > 0).unwrap_or(words.len());
        let (name, version) = (words[..at].join(" "), words[at..].join(" ") + &self.additions());
        let fits = !name.is_empty() && name.len() <= LONGEST_NAME && version.len() <= LONGEST_NAME;
        fits.then(|| Source::engine(&name, &version))
    }

    fn additions(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.values {
            if is_net(name) && self.is_changed(name, value) || is_scale(name) && self.is_changed(name, value) {
                text += "+";
                text += &if is_net(name) { stem(value).to_owned() } else { format!("{name}={value}") };
            }
        }
        // Lc0 names no net, and shows the one of its command line as the default.
        if !self.values.contains_key("weightsfile")
            && let Some(net) = self.default_text("weightsfile").filter(|net| !is_placeholder(net))
        {
            text += "+";
            text += stem(&net);
        }
        if self.values.iter().any(|(name, value)| is_tablebase(name) && !is_placeholder(value)) {
            text += "+tb";
        }
        text
    }

    fn is_changed(&self, name: &str, value: &str) -> bool {
        !is_placeholder(value) && (name == "weightsfile" || self.default_text(name).as_deref() != Some(value))
    }

    /// The value of an option: as it was set, or else its default.
    fn value(&self, name: &str) -> Option<String> {
        self.values.get(name).cloned().or_else(|| self.default_text(name))
    }

    fn default_text(&self, name: &str) -> Option<String> {
        match &self.option(name)?.kind {
            OptionKind::Check { default } => default.map(|flag| flag.to_string()),
            OptionKind::Spin { default, .. } => default.map(|number| number.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
            OptionKind::Button => None,
        }
    }

    fn is_on(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// Whether castling is written as the king's move onto its rook.
    pub fn is_chess960(&self) -> bool {
        self.is_on("uci_chess960")
    }

    /// The number of lines that the engine is to show.
    pub fn multipv(&self) -> usize {
        self.value("multipv").and_then(|value| value.parse().ok()).unwrap_or(1).max(1)
    }

    /// Whether it plays chess, with the starting position of its choice.
    pub fn plays_chess(&self) -> bool {
        let is_chess = |variant: &str| ["chess", "standard", "normal"].contains(&variant.to_ascii_lowercase().as_str());
        self.value("uci_variant").is_none_or(|variant| is_chess(&variant) || is_placeholder(&variant))
    }

    /// Whether its strength is limited: `UCI_LimitStrength`, a skill below the greatest, or an Elo below the greatest where
    /// nothing else switches that on.
    pub fn is_limited(&self) -> bool {
        let below_most = |name: &str| {
            let value = self.value(name).and_then(|value| value.parse::<f64>().ok());
            let most = match self.option(name).map(|option| &option.kind) {
                Some(&OptionKind::Spin { max, .. }) if max < i64::MAX => max as f64,
                // Stockfish's, of an engine that does not say.
                _ => 20.0,
            };
            value.is_some_and(|value| value < most)
        };
        let has_switch = self.value("uci_limitstrength").is_some();
        self.is_on("uci_limitstrength")
            || self.is_on("limitstrength")
            || below_most("skill level")
            || below_most("skill")
            || (!has_switch && self.option("uci_elo").is_some() && below_most("uci_elo"))
    }

    /// Why scores of the engine are not to be learned, if so.
    pub fn obstacle(&self) -> Option<&'static str> {
        if self.is_limited() {
            Some("its strength is limited")
        } else if !self.plays_chess() {
            Some("it plays another variant")
        } else if self.source().is_none() {
            Some("its name is too long")
        } else {
            None
        }
    }
}

fn is_net(name: &str) -> bool {
    ["evalfile", "evalfilesmall", "weightsfile", "nnuefile", "networkfile", "nnue file", "eval file"].contains(&name)
}

/// Whether the option changes the scale of scores, or what a draw is worth.
fn is_scale(name: &str) -> bool {
    name.starts_with("contempt") || name == "analysis contempt" || name.starts_with("wdl")
}

fn is_tablebase(name: &str) -> bool {
    let is_path = name.ends_with("path") || name.ends_with("paths");
    is_path && ["syzygy", "gaviota", "nalimov", "egbb", "bitbase", "tb"].iter().any(|kind| name.contains(kind))
}

/// Whether the text stands for no file: empty, or in angle brackets.
fn is_placeholder(text: &str) -> bool {
    text.is_empty() || text.starts_with('<') && text.ends_with('>')
}

/// The name of a file without its folder and its extension; a path of another system is understood too.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(lines: &[&str]) -> EngineProfile {
        let mut profile = EngineProfile::new("engine");
        lines.iter().for_each(|line| profile.hear(&EngineLine::parse(line)));
        profile
    }

    fn source(lines: &[&str]) -> (String, String) {
        let source = profile(lines).source().expect("a source");
        (source.name().to_owned(), source.version().to_owned())
    }

    fn texts(name: &str, version: &str) -> (String, String) {
        (name.to_owned(), version.to_owned())
    }

    #[test]
    fn a_name_is_split_at_its_last_word_with_a_digit() {
        assert_eq!(source(&["id name Stockfish 15.1"]), texts("Stockfish", "15.1"));
        assert_eq!(source(&["id name Stockfish dev-20260803-762dd1da9"]), texts("Stockfish", "dev-20260803-762dd1da9"));
        assert_eq!(source(&["id name Lc0 v0.31.2"]), texts("Lc0", "v0.31.2"));
        assert_eq!(source(&["id name Lc0"]), texts("Lc0", ""));
        assert_eq!(source(&["id name Old  Engine"]), texts("Old Engine", ""));
        assert_eq!(source(&["id name"]), texts("engine", ""), "without a name it is the program's");
        assert_eq!(profile(&[&format!("id name {}", "x".repeat(300))]).source(), None);
    }

    #[test]
    fn nets_and_tablebases_belong_to_the_version() {
        let lines = ["id name Lc0 v0.31", "option name WeightsFile type string default <autodiscover>"];
        assert_eq!(source(&lines).1, "v0.31");
        let by_argument = ["id name Lc0 v0.31", "option name WeightsFile type string default /n/791556.pb.gz"];
        assert_eq!(source(&by_argument).1, "v0.31+791556");
        let mut engine = profile(&lines);
        engine.set("weightsfile", Some("C:\\nets\\BT4.pb.gz"));
        engine.set("SyzygyPath", Some("<empty>"));
        assert_eq!(engine.source().expect("a source").version(), "v0.31+BT4");
        engine.set("SyzygyPath", Some("/tb"));
        engine.set("Contempt", Some("24"));
        assert_eq!(engine.source().expect("a source").version(), "v0.31+contempt=24+BT4+tb");
    }

    #[test]
    fn limited_strength_and_variants_are_seen() {
        let declared = [
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 1350 min 1350 max 2850",
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name UCI_Variant type combo default chess var chess var atomic",
        ];
        let mut engine = profile(&declared);
        assert_eq!((engine.obstacle(), engine.multipv()), (None, 1));
        engine.set("UCI_Elo", Some("1500"));
        assert!(!engine.is_limited(), "it is not switched on");
        engine.set("uci_limitstrength", Some("true"));
        assert!(engine.is_limited());
        engine.set("UCI_LimitStrength", Some("false"));
        engine.set("Skill Level", Some("19"));
        assert!(engine.is_limited());
        engine.set("Skill Level", Some("20"));
        assert!(!engine.is_limited());
        engine.set("UCI_Variant", Some("atomic"));
        assert!(!engine.plays_chess() && engine.obstacle().is_some());
        let only_elo = profile(&["option name UCI_Elo type spin default 2000 min 1350 max 2850"]);
        assert!(only_elo.is_limited());
    }
}
