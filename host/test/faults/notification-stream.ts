import { setTimeout as pause } from 'node:timers/promises';

const AGAIN_MS = 100;

/**
 * Reads the event stream as a browser does: one that ends is opened again after the last event that came. Reports a
 * stream that is refused or breaks off in the middle.
 */
export function followStream(url: string, cookie: string, failed: (how: string) => void) {
  const received: string[] = [];
  const stopping = new AbortController();
  let last: string | undefined;
  const following = follow();

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await readOne();
      } catch (error) {
        if (!stopping.signal.aborted) failed(`stream: ${error}`);
      }
      await pause(AGAIN_MS);
    }
  }

  async function readOne(): Promise<void> {
    const headers = { cookie, accept: 'text/event-stream', ...(last ? { 'last-event-id': last } : {}) };
    const answer = await fetch(url, { headers, signal: stopping.signal });
    if (answer.status !== 200 || !answer.body) throw new Error(`answered ${answer.status}`);
    let [text, isReady] = ['', false];
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) take(event);
      isReady ||= events.some((event) => /^event: re(ady|set)$/m.test(event));
    }
    if (!isReady) throw new Error('turned away');
    if (text !== '') throw new Error(`broke off in the middle of an event: ${text}`);
  }

  function take(event: string): void {
    const fields = new Map(
      event.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^\w*: ?/, '')]),
    );
    last = fields.get('id') ?? last;
    if (fields.get('event') !== 'notification') return;
    const { receiptNumber } = JSON.parse(fields.get('data') ?? '{}') as { receiptNumber: string };
    received.push(receiptNumber);
  }

  return {
    received: received as readonly string[],
    async end(): Promise<void> {
      stopping.abort();
      await following;
    },
  };
}
