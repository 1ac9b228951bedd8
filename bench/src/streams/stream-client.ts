import http from 'node:http';

/** Of all streams of a run: opened at least once, ended for good by an error, and closed by the product before they were open. */
export interface StreamCounts {
  open: number;
  lost: number;
  turnedAway: number;
}

/** An EventSource: comes back after the last `retry:`, and never after an error. */
export function openStream(url: string, cookie: string, counts: StreamCounts): { close(): void } {
  let closed = false;
  let wasOpen = false;
  let retryMs = 1_000;
  let request: http.ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    if (!closed) timer = setTimeout(connect, retryMs);
  };
  function connect(): void {
    request = http.get(`${url}/api/notifications/stream`, {
      agent: false,
      headers: { cookie, accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' },
    });
    request.on('error', again);
    request.on('response', (answer) => {
      if (answer.statusCode !== 200) {
        counts.lost += 1;
        answer.resume();
        return;
      }
      let isOpen = false;
      answer.setEncoding('utf8').on('data', (text: string) => {
        retryMs = Number(/^retry: (\d+)/m.exec(text)?.[1] ?? retryMs);
        isOpen ||= text.includes('event: ');
        if (!isOpen || wasOpen) return;
        wasOpen = true;
        counts.open += 1;
      });
      answer.on('error', () => undefined);
      answer.once('close', () => {
        if (!isOpen) counts.turnedAway += 1;
        again();
      });
    });
  }
  connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      request?.destroy();
    },
  };
}
