//! Repairs, as many as go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::client::{ask, connect};
use crate::{Server, ms, quantile};

const CONNECTIONS: usize = 16;

/// A text of about this many bytes with a mistake in each record, cut at its end.
fn text(size: usize) -> String {
    let mut text = String::from("Here you are:\n```json\n[");
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text +=
            &format!("{{id: {number}, \"name\": \"Ada Lovelace\", 'tags': [\"one\", \"two\",], \"price\": 1.50}},\n");
    }
    text.truncate(size);
    text
}

pub async fn run(server: &Server, size: usize, time: Duration) {
    let body = text(size);
    let head = format!(
        "POST /api/repair HTTP/1.1\r\nhost: {}\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    let request = Arc::new((head + &body).into_bytes());
    let start = Instant::now();
    let tasks: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let (address, request) = (server.address, Arc::clone(&request));
            tokio::spawn(async move {
                let (mut reader, mut writer) = connect(address).await;
                let (mut times, mut body) = (Vec::new(), Vec::new());
                while start.elapsed() < time {
                    let asked = Instant::now();
                    ask(&mut reader, &mut writer, &request, &mut body).await;
                    times.push(asked.elapsed());
                }
                assert!(body.starts_with(b"{\"outcome\":\"truncated\""), "it was not repaired");
                times
            })
        })
        .collect();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.expect("it was asked"));
    }
    let seconds = start.elapsed().as_secs_f64();
    times.sort_unstable();
    #[allow(clippy::cast_precision_loss)]
    let (rate, size_of_all) = (times.len() as f64 / seconds, (times.len() * body.len()) as f64);
    println!(
        "{:<10} {rate:>12.0} {:>10.1} {:>10} {:>10}",
        format!("{} KB", size / 1000),
        size_of_all / seconds / 1e6,
        ms(quantile(&times, 0.5)),
        ms(quantile(&times, 0.99))
    );
}
