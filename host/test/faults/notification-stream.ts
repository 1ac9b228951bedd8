import { setTimeout as pause } from 'node:timers/promises';
import { Agent, fetch } from 'undici';

const AGAIN_MS = 100;

/**
 * How a stream ends wrongly: `refused` with an answer after which a browser does not ask again, `rejected` with one that asks
 * it to come back, or `lost` with its connection.
 */
export type StreamFault = 'refused' | 'rejected' | 'lost';

export type FollowedStream = ReturnType<typeof followStream>;

/**
 * Reads the event stream as a browser does: one that ends is opened again after the last event that came. Reports a
 * stream that is refused or breaks off in the middle.
 */
export function followStream(url: string, cookie: string, failed: (how: string, fault: StreamFault) => void) {
  const received: string[] = [];
  const stopping = new AbortController();
  let connection = new AbortController();
  let returning: PromiseWithResolvers<void> | undefined;
  let reading = Promise.resolve();
  let last: string | undefined;
  let isOpen = false;
  // A browser asks again by itself where the server has just closed a kept connection: here each stream has one of its own.
  const agent = new Agent({ pipelining: 0 });
  const following = follow();

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await returning?.promise;
      connection = new AbortController();
      reading = readOne(AbortSignal.any([stopping.signal, connection.signal])).catch((error: unknown) => {
        if (stopping.signal.aborted || connection.signal.aborted) return;
        failed(`stream: ${textOf(error)}`, error instanceof NoStream ? error.fault : 'lost');
      });
      await reading;
      isOpen = false;
      await pause(AGAIN_MS);
    }
  }

  async function readOne(signal: AbortSignal): Promise<void> {
    const headers = { cookie, accept: 'text/event-stream', ...(last ? { 'last-event-id': last } : {}) };
    const answer = await fetch(url, { headers, signal, dispatcher: agent });
    if (answer.status !== 200 || !answer.body) throw new NoStream('refused', `answered ${answer.status}`);
    let text = '';
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) take(event);
      isOpen ||= events.some((event) => /^event: re(ady|set)$/m.test(event));
    }
    if (!isOpen) throw new NoStream('rejected');
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
    /** Whether a stream has begun, and is not known to have ended. */
    isOpen: () => isOpen,
    /** Closes the stream; no other is opened before `comeBack`. */
    async leave(): Promise<void> {
      returning = Promise.withResolvers();
      connection.abort();
      await reading;
    },
    comeBack(): void {
      returning?.resolve();
      returning = undefined;
    },
    async end(): Promise<void> {
      stopping.abort();
      returning?.resolve();
      await following;
      await agent.destroy();
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error && error.cause ? `${error}, ${error.cause}` : String(error);
}

class NoStream extends Error {
  readonly fault: StreamFault;

  constructor(fault: StreamFault, message: string = fault) {
    super(message);
    this.fault = fault;
  }
}
