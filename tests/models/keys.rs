//! Where keys come from, and where they do not go.

use std::fs;

use jsonrill::{ApiKey, HttpModel, ModelErrorKind};

use crate::read::ask;
use crate::server::{KEY, Server, openai};

#[tokio::test]
async fn from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    fs::write(&path, format!("{KEY}\n")).unwrap();
    let key = ApiKey::from_file(&path).unwrap();
    fs::remove_file(&path).unwrap(); // it was read once
    let server = Server::events([openai("[]", "stop")]).await;
    ask(&server.openai().key(key), "Hi").await.good();
    assert_eq!(server.asked()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
}

#[test]
fn files_that_are_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    let error = ApiKey::from_file(&path).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Setup);
    assert!(error.to_string().starts_with(&format!("the key cannot be read from {}: ", path.display())), "{error}");
    for (bytes, what) in [
        (&b"\n"[..], "is empty"),
        (b"sk-1\nsk-2\n", "has characters that a header cannot have"),
        (b"sk-\xff", "is no text"),
        (&vec![b'x'; 1 << 20], "is too long for one"),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = ApiKey::from_file(&path).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Setup);
        assert_eq!(error.to_string(), format!("the key in {} {what}", path.display()));
    }
    assert_eq!(ApiKey::from_file(dir.path()).unwrap_err().kind(), ModelErrorKind::Setup);
}

/// Cargo sets this one.
#[test]
fn from_the_environment() {
    let key = ApiKey::from_env("CARGO_PKG_NAME").unwrap();
    assert_eq!(format!("{key:?}"), "ApiKey(…)");
    let error = ApiKey::from_env("JSONRILL_NO_SUCH_KEY").unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Setup);
    assert_eq!(error.to_string(), "there is no key: the environment variable JSONRILL_NO_SUCH_KEY is not set");
}

#[test]
fn shown_nowhere() {
    let model = HttpModel::openai("some-model")
        .base_url("http://localhost:1/v1?key=sk-very-other")
        .unwrap()
        .key(ApiKey::new(KEY).unwrap());
    let shown = format!("{model:?} {model:#?}");
    assert!(!shown.contains("sk-very") && shown.contains("some-model") && shown.contains("http://localhost:1/v1"));

    for url in ["http://sk-very:x@localhost", "http://:sk-very@localhost", "sk-very://localhost", "sk-very"] {
        let error = HttpModel::anthropic("m").base_url(url).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Setup, "{url}");
        assert!(!format!("{error} {error:?}").contains("sk-very"), "{error:?}");
    }
}

/// An address with a secret in it is told of by its machine alone.
#[tokio::test]
async fn not_with_the_address_either() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/sk-very?key=sk-very", listener.local_addr().unwrap());
    drop(listener);
    let model = HttpModel::openai("m").base_url(&url).unwrap().key(ApiKey::new(KEY).unwrap()).retries(0);
    let given = ask(&model, "Hi").await;
    let error = given.error();
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    let mut shown = vec![format!("{error} {error:?} {error:#?}")];
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        shown.push(format!("{error} {error:?}"));
        source = error.source();
    }
    assert!(shown.len() > 1 && !shown.concat().contains("sk-very"), "{shown:?}");
}
