import { request } from 'undici';

export interface Heard {
  readonly receiptNumber: string;
  /** Unix time. */
  readonly atMs: number;
}

/** Opens a signed-in browser's stream of notifications through the gateway; reports each notification as it arrives. */
export async function openStream(
  url: string,
  cookie: string,
  hear: (heard: Heard) => void,
): Promise<{ close(): void }> {
  const leaving = new AbortController();
  const { statusCode, body } = await request(`${url}/api/notifications/stream`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin', accept: 'text/event-stream' },
    signal: leaving.signal,
    bodyTimeout: 0,
  });
  if (statusCode !== 200) throw new Error(`the stream answered ${statusCode}: ${await body.text()}`);
  let rest = '';
  body.setEncoding('utf8');
  body.on('error', () => undefined);
  body.on('data', (text: string) => {
    const atMs = Date.now();
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const receiptNumber = /"receiptNumber":"([A-Z]{3}\d{10})"/.exec(event)?.[1];
      if (receiptNumber) hear({ receiptNumber, atMs });
    }
  });
  return { close: () => leaving.abort() };
}
