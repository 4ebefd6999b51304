//! Sources as JSON: who says so, and whose memory it comes from.

use mnemon_memory::{Contributor, Identity, MemoryId, Result, Source, SourceKind, Store};
use serde::{Deserialize, Serialize};

use super::JsonError;

/// The labels of contributors, and the memory itself where its own records are to name it.
#[derive(Default)]
pub struct Names {
    contributors: Vec<Contributor>,
    own: Option<Identity>,
}

impl Names {
    /// For an answer about the memory: its own records name no contributor.
    pub fn within(store: &dyn Store) -> Result<Self> {
        Ok(Names { contributors: store.contributors()?, own: None })
    }

    /// For an export: its own records name the memory.
    pub fn abroad(store: &dyn Store) -> Result<Self> {
        Ok(Names { contributors: store.contributors()?, own: Some(store.identity()?) })
    }

    fn json(&self, id: MemoryId) -> ContributorJson {
        let known = self.contributors.iter().find(|contributor| contributor.id == id);
        let label = known
            .map(|contributor| contributor.label.clone())
            .or_else(|| self.own.as_ref().filter(|own| own.id == id).map(|own| own.label.clone()));
        ContributorJson { identity: id.to_string(), label }
    }
}

/// A memory or file, by its identity and label.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContributorJson {
    identity: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

impl ContributorJson {
    fn identity(&self) -> std::result::Result<Identity, JsonError> {
        let id: MemoryId = self.identity.parse().map_err(|_| JsonError::Identity(self.identity.clone()))?;
        Ok(Identity { id, label: self.label.clone().unwrap_or_else(|| id.short()) })
    }
}

/// A source: an engine with its version, a person, a file or a player; and whose memory it comes from, if that is another one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    person: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contributor: Option<ContributorJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    believing: Vec<ContributorJson>,
}

impl SourceJson {
    /// The source, with the labels of its contributors.
    pub fn new(source: &Source, names: &Names) -> Self {
        let named = |kind| (source.kind() == kind).then(|| source.name().to_owned());
        let contributor = source.contributor().or(names.own.as_ref().map(|own| own.id));
        SourceJson {
            engine: named(SourceKind::Engine),
            version: (source.kind() == SourceKind::Engine).then(|| source.version().to_owned()),
            person: named(SourceKind::Person),
            file: named(SourceKind::File),
            player: named(SourceKind::Player),
            contributor: contributor.map(|id| names.json(id)),
            believing: source.believed().iter().map(|&id| names.json(id)).collect(),
        }
    }

    /// The source, and the contributors that it names.
    pub(super) fn source(&self) -> std::result::Result<(Source, Vec<Identity>), JsonError> {
        let source = match (&self.engine, &self.version, &self.person, &self.file, &self.player) {
            (Some(engine), version, None, None, None) => Source::engine(engine, version.as_deref().unwrap_or_default()),
            (None, None, Some(person), None, None) => Source::person(person),
            (None, None, None, Some(file), None) => Source::file(file),
            (None, None, None, None, Some(player)) => Source::player(player),
            _ => return Err(JsonError::Source),
        };
        let contributor = self.contributor.as_ref().map(ContributorJson::identity).transpose()?;
        let mut identities =
            self.believing.iter().map(ContributorJson::identity).collect::<std::result::Result<Vec<_>, _>>()?;
        let source = source.believing(identities.iter().map(|identity| identity.id));
        let source = contributor.as_ref().map_or(source.clone(), |contributor| source.contributed_by(contributor.id));
        identities.extend(contributor);
        Ok((source, identities))
    }
}
