import type { Writable } from 'node:stream';

/** How much may wait for a reader before it is cut off: some hundred notifications. */
const MAX_PENDING_BYTES = 256 * 1024;

export interface StreamEvent {
  event: string;
  /** What the browser sends as Last-Event-ID when it connects again. */
  id?: number;
  data: unknown;
}

/**
 * Writes server-sent events (WHATWG HTML, section 9.2) to one reader, and buffers no more than MAX_PENDING_BYTES. A class,
 * because a process holds thousands of them: closures of its own would cost each stream a kilobyte.
 */
export class EventStream {
  readonly #out: Writable;

  constructor(out: Writable) {
    this.#out = out;
  }

  get open(): boolean {
    const { writableEnded, destroyed, closed } = this.#out;
    return !writableEnded && !destroyed && !closed;
  }

  /** Sends the events in one piece, or cuts off a reader that has not taken earlier ones. */
  send(events: readonly StreamEvent[]): void {
    this.#write(events.map(format).join(''));
  }

  /** How long the browser waits before it connects again. */
  setRetryMs(ms: number): void {
    this.#write(`retry: ${ms}\n\n`);
  }

  /** Sends a comment, which browsers ignore: proxies on the way see that the connection is alive. */
  beat(): void {
    this.#write(':\n\n');
  }

  /** Ends the stream once the reader has taken what is pending. */
  end(): void {
    if (this.open) this.#out.end();
  }

  cutOff(): void {
    this.#out.destroy();
  }

  #write(text: string): void {
    if (!this.open) return;
    if (this.#out.writableLength > MAX_PENDING_BYTES) this.#out.destroy();
    else this.#out.write(text);
  }
}

function format({ event, id, data }: StreamEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`;
}
