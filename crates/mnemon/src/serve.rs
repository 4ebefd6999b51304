//! `mnemon serve`: the memory in a browser, and over the interfaces that tools already speak.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use mnemon_engine::Engine;
use mnemon_memory::{Access, OpenedStore};
use mnemon_server::{Server, Settings};
use mnemon_uci::child::EngineCommand;

use crate::memory_location::{MemoryLocation, default_path};
use crate::{Result, UsageError, output};

/// Where to listen, and what is served.
#[derive(Args)]
#[command(after_help = concat!(
    "Without --memory it is MNEMON_MEMORY, or else ", default_path!(), ". Changes need the token in the printed address. \
     See docs/serve.md."
))]
pub(crate) struct Arguments {
    /// The address and port to listen at; port 0 for any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8077")]
    listen: SocketAddr,
    /// Listen also where other machines can connect: they can then read all of the memory
    #[arg(long)]
    public: bool,
    /// The memory's file
    #[arg(long, value_name = "PATH")]
    memory: Option<PathBuf>,
    /// An engine that may search, with its arguments, perhaps as NAME=COMMAND; may be repeated [default: this program's own]
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<String>,
    /// Change nothing in the memory, and start no engine
    #[arg(long)]
    read_only: bool,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// Another name under which the server is asked; may be repeated
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,
    /// Let pages of other sites read /cdb.php and /api/cloud-eval
    #[arg(long)]
    cors: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result {
    if !arguments.listen.ip().is_loopback() && !arguments.public {
        return Err(UsageError(format!(
            "--listen {}: other machines could connect there and read all of the memory; add --public if they may",
            arguments.listen
        ))
        .into());
    }
    let engines = if arguments.read_only { Vec::new() } else { engines(&arguments.engine)? };
    let listener = mnemon_server::listen(arguments.listen)?;
    let location = MemoryLocation::choose(arguments.memory.as_deref())?;
    let access = if arguments.read_only { Access::ReadOnly } else { Access::Create };
    let OpenedStore { store, read_only } = location.for_engine(access)?;
    if let Some(why) = &read_only {
        eprintln!("mnemon: {}", output::escape_controls(&crate::memory_hints::explain_any(why)));
    }
    let settings = Settings {
        listen: arguments.listen,
        is_writable: !arguments.read_only && read_only.is_none(),
        person: crate::memory::person_name(None),
        engines,
        allowed_hosts: arguments.allow_host.clone(),
        has_cors: arguments.cors,
        ..Settings::new(store, Engine::source())
    };
    let server = Server::new(listener, settings)?;
    let stop = server.stop();
    // Where no handler can be set, Ctrl-C still ends the program.
    let _ = ctrlc::set_handler(move || stop.stop());
    let url = server.start_url();
    // Whoever has started the server may close the pipe as soon as it has read the address.
    let _ = output::say(format!("mnemon serves {} at {url}\nCtrl-C ends it", location.path().display()));
    if arguments.open {
        open_browser(&url);
    }
    Ok(server.run()?)
}

/// The engines by name: as the user named them, or else by their programs' names.
fn engines(commands: &[String]) -> Result<Vec<(String, EngineCommand)>> {
    if commands.is_empty() {
        return Ok(vec![("mnemon".to_owned(), EngineCommand::current_program()?)]);
    }
    let mut engines: Vec<(String, EngineCommand)> = Vec::new();
    for text in commands {
        let named = text.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '\\', ' ', '"']));
        let (name, command) = named.map_or((None, text.as_str()), |(name, command)| (Some(name), command));
        let command = EngineCommand::parse(command)
            .ok_or_else(|| UsageError(format!("--engine '{text}': there is no command")))?;
        let name = name.map_or_else(|| program_name(&command.to_string()), str::to_owned);
        if engines.iter().any(|(known, _)| *known == name) {
            return Err(UsageError(format!("two engines are named '{name}': write --engine NAME=COMMAND")).into());
        }
        engines.push((name, command));
    }
    Ok(engines)
}

/// The name of a command's program, without its folder.
fn program_name(command: &str) -> String {
    let program = command.split_whitespace().next().unwrap_or(command);
    std::path::Path::new(program).file_stem().map_or(program.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Opens the address by the system's own program for that; where there is none, the address stands on the terminal.
fn open_browser(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else if cfg!(target_vendor = "apple") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let quiet = std::process::Stdio::null;
    let started = std::process::Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    if let Err(error) = started {
        eprintln!("mnemon: cannot start {program} to open a browser ({error}): open the address above");
    }
}
