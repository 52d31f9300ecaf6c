// One answer's events, over a connection that may be lost.

/**
 * Looks at an answer. `on.event` is given each event once, in order, however often the connection is lost: the browser
 * names the last one it had (`Last-Event-ID`), and the server goes on from there. `on.state` is told of `connected`,
 * `lost` (it will connect again), `ended` and `gone` (there is no such answer any more).
 */
export function connect(id, on) {
  const source = new EventSource(`/answers/${id}/events`);
  source.onopen = () => on.state("connected");
  source.onmessage = ({ data, lastEventId }) => {
    const event = JSON.parse(data);
    on.event(event, lastEventId, data.length);
    if (event.end) {
      // Else it would connect again: an event stream has no end of its own.
      source.close();
      on.state("ended");
    }
  };
  source.onerror = () => on.state(source.readyState === EventSource.CLOSED ? "gone" : "lost");
}

export async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: body && { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.status === 204 ? null : response.json();
}

export async function get(path) {
  const response = await fetch(path);
  return response.ok ? response.json() : null;
}
