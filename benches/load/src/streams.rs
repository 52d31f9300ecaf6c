//! Live streams at a fixed rate: how long after a chunk was sent its update is here.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::Barrier;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::client::{connect, head};
use crate::{Server, ms, quantile};

const PERIOD: Duration = Duration::from_millis(50);

pub async fn run(server: &Server, count: usize, time: Duration) {
    // One first, so that what the service keeps for all streams is not counted as theirs.
    let alone = Arc::new(Barrier::new(1));
    stream(server.address, 0, 3, Arc::clone(&alone), alone).await;
    let before = server.memory();

    let chunks = usize::try_from(time.as_millis() / PERIOD.as_millis()).unwrap_or(1);
    let (opened, sent) = (Arc::new(Barrier::new(count + 1)), Arc::new(Barrier::new(count + 1)));
    let tasks: Vec<_> = (0..count)
        .map(|index| tokio::spawn(stream(server.address, index, chunks, Arc::clone(&opened), Arc::clone(&sent))))
        .collect();
    opened.wait().await;
    let start = Instant::now();
    // All have sent all, and none has ended.
    sent.wait().await;
    let seconds = start.elapsed().as_secs_f64();
    let after = server.memory();
    let mut delays = Vec::new();
    for task in tasks {
        delays.extend(task.await.expect("it streams"));
    }
    delays.sort_unstable();
    let memory = before.zip(after).map(|(before, after)| after.saturating_sub(before) / count as u64);
    #[allow(clippy::cast_precision_loss)]
    let rate = delays.len() as f64 / seconds;
    println!(
        "{count:<10} {rate:>12.0} {:>10} {:>10} {:>10} {:>12}",
        ms(quantile(&delays, 0.5)),
        ms(quantile(&delays, 0.99)),
        ms(quantile(&delays, 1.0)),
        memory.map_or("unknown".to_owned(), |memory| format!("{memory} KB"))
    );
}

/// One stream: the delays of its updates.
async fn stream(
    address: std::net::SocketAddr,
    index: usize,
    chunks: usize,
    opened: Arc<Barrier>,
    sent: Arc<Barrier>,
) -> Vec<Duration> {
    let (mut reader, mut writer) = connect(address).await;
    let request = format!(
        "POST /api/stream HTTP/1.1\r\nhost: {address}\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    writer.write_all(request.as_bytes()).await.expect("it is taken");
    head(&mut reader).await;
    opened.wait().await;

    let (times, received) = unbounded_channel();
    let updates = tokio::spawn(updates(reader, received));
    // They do not all send at once.
    sleep(PERIOD * u32::try_from(index % 50).unwrap_or(0) / 50).await;
    let mut clock = interval(PERIOD);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in 0..chunks {
        clock.tick().await;
        let chunk = if number == 0 { "{\"items\": [1, 2,".to_owned() } else { format!(" {{\"n\": {number:>6}}},") };
        times.send(Instant::now()).expect("somebody reads");
        let framed = format!("{:x}\r\n{chunk}\r\n", chunk.len());
        writer.write_all(framed.as_bytes()).await.expect("it is taken");
    }
    sent.wait().await;
    writer.write_all(b"0\r\n\r\n").await.expect("it is taken");
    drop(times);
    updates.await.expect("it is read")
}

/// Reads a response, and notes how long after its chunk each update comes.
async fn updates(mut reader: BufReader<OwnedReadHalf>, mut sent: UnboundedReceiver<Instant>) -> Vec<Duration> {
    let mut delays = Vec::new();
    let (mut line, mut frame) = (String::new(), Vec::new());
    loop {
        line.clear();
        reader.read_line(&mut line).await.expect("it is read");
        let size = usize::from_str_radix(line.trim(), 16).expect("a size");
        frame.resize(size + 2, 0);
        reader.read_exact(&mut frame).await.expect("it is read");
        if size == 0 {
            return delays;
        }
        for _ in frame.windows(14).filter(|part| part == b"event: update\n") {
            let sent = sent.recv().await.expect("no more updates than chunks");
            delays.push(sent.elapsed());
        }
    }
}
