import type { StatusNotification } from '@casewatch/contracts/notifications';

export interface ReceivedEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

export type StreamReader = Awaited<ReturnType<typeof openStream>>;

/** Reads server-sent events from an answer, block by block (WHATWG HTML, section 9.2.6). */
export async function openStream(answer: Response) {
  const { body } = answer;
  if (answer.status !== 200 || !body) throw new Error(`no stream: ${answer.status} ${await answer.text()}`);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const blocks: string[] = [];
  let rest = '';
  let retryMs = Number.NaN;

  /** The next block; undefined when the stream is over. */
  async function nextBlock(): Promise<string | undefined> {
    for (;;) {
      const block = blocks.shift();
      if (block !== undefined) return block;
      const { done, value } = await reader.read();
      if (done) return undefined;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      blocks.push(...parts);
    }
  }

  /** The next event, past retry hints and heartbeats; undefined when the stream is over. */
  async function next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const block = await nextBlock();
      if (block === undefined) return undefined;
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const retry = field('retry');
      if (retry !== undefined) retryMs = Number(retry);
      const event = field('event');
      if (event !== undefined) return { event, id: field('id'), data: JSON.parse(field('data') ?? '') };
    }
  }

  return {
    headers: answer.headers,
    next,
    /** The next event, which must be a notification about a case. */
    async nextNotification(): Promise<StatusNotification> {
      const event = await next();
      if (event?.event !== 'notification') throw new Error(`came instead: ${JSON.stringify(event)}`);
      return event.data as StatusNotification;
    },
    /** Resolves at the next heartbeat; an event before it is an error. */
    async nextBeat(): Promise<void> {
      const block = await nextBlock();
      if (block !== ':') throw new Error(`came instead: ${block}`);
    },
    /** The last message of the server. */
    retryMs: () => retryMs,
    close: () => reader.cancel(),
  };
}
