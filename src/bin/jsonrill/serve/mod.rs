//! `jsonrill serve`: the library as a service over HTTP.
//!
//! One module for each route (`generate`, `repair`, `contexts`, `split`, `stream`, `health`, `metrics`, `page`), and
//! what they share: `router` (the routes, and what each request goes through), `observe` (request ids, log, counters),
//! `admit`, `tokens` and `hosts` (who is let in), `bodies` and `reading` (what comes in), `answer` and `failure` (what
//! goes out), `work` (what takes its time), `limits`, `logs`, `state`, `connections` and `signals`.

mod admit;
mod answer;
mod bodies;
mod connections;
mod contexts;
mod failure;
mod generate;
mod health;
mod hosts;
mod limits;
mod logs;
mod metrics;
mod observe;
mod page;
mod reading;
mod repair;
mod router;
mod signals;
mod split;
mod state;
mod stream;
mod tokens;
mod work;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use self::hosts::Hosts;
use self::limits::Limits;
use self::logs::Level;
use self::signals::Signals;
use self::state::App;
use self::tokens::TokenArgs;
use crate::exit::Exit;
use crate::model::ModelArgs;

/// Serve repairs, contexts, splitting and live streams over HTTP.
///
/// Says on standard output where it listens. Without a token it does so on loopback alone, and takes no requests that a
/// page of another site sends. `GET /openapi.json` says what it can do, `GET /` is a page to try it.
///
/// It ends with SIGTERM or SIGINT: no more connections are taken, and what is open may go on for a while.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Where to listen. Port 0 is one that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,

    #[command(flatten)]
    tokens: TokenArgs,

    /// A name under which the service may be asked, as a proxy passes it on, and whose pages may ask. On loopback the
    /// names of loopback are known; elsewhere, without any, every name will do.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// How much is told on standard error, as JSON lines. Never what is in a request, and no token.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Info)]
    log: Level,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    model: ModelArgs,
}

/// Runs `jsonrill serve`.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let tokens = args.tokens.read()?;
    ensure!(
        args.listen.ip().is_loopback() || !tokens.is_empty(),
        "{} is open to others: that needs --token-file or --token-env",
        args.listen
    );
    // A program has no use for what lets others use the service.
    let model = args.model.build(args.tokens.variable())?.map(Arc::from);
    logs::start(args.log);
    // Each stream is an open file. What cannot be lifted stays as it is.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let hosts = Hosts::new(args.listen.ip(), &args.allow_host);
    let app = App::new(args.limits.clone(), hosts, tokens, model, args.model.timeout());
    let runtime = Runtime::new().context("cannot start threads")?;
    runtime.block_on(serve(args, &app))?;
    // Work whose client is gone is not waited for.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(Exit::Done)
}

async fn serve(args: &Args, app: &App) -> Result<()> {
    let listener = TcpListener::bind(args.listen).await.with_context(|| format!("cannot listen on {}", args.listen))?;
    let mut signals = Signals::new().context("cannot listen to signals")?;
    let address = listener.local_addr().context("cannot tell the address")?;
    let mut out = io::stdout();
    writeln!(out, "jsonrill serve: listening on http://{address}")?;
    out.flush()?;
    connections::serve(app, router::router(app), listener, &mut signals).await;
    Ok(())
}
