import type { Writable } from 'node:stream';

/** How much may wait for a reader before it is cut off: some hundred notifications. */
export const MAX_PENDING_BYTES = 256 * 1024;

export interface StreamEvent {
  event: string;
  /** What the browser sends as Last-Event-ID when it connects again. */
  id?: number;
  data: unknown;
}

export interface EventStream {
  readonly open: boolean;
  /** Sends the events in one piece, or cuts off a reader that has not taken earlier ones. */
  send(events: readonly StreamEvent[]): void;
  /** How long the browser waits before it connects again. */
  setRetryMs(ms: number): void;
  /** Sends a comment, which browsers ignore: proxies on the way see that the connection is alive. */
  beat(): void;
  /** Ends the stream once the reader has taken what is pending. */
  end(): void;
  cutOff(): void;
}

/** Writes server-sent events (WHATWG HTML, section 9.2) to one reader, and buffers no more than MAX_PENDING_BYTES. */
export function createEventStream(out: Writable): EventStream {
  const isOpen = () => !out.writableEnded && !out.destroyed && !out.closed;

  function write(text: string): void {
    if (!isOpen()) return;
    if (out.writableLength > MAX_PENDING_BYTES) out.destroy();
    else out.write(text);
  }

  return {
    get open() {
      return isOpen();
    },
    send: (events) => write(events.map(format).join('')),
    setRetryMs: (ms) => write(`retry: ${ms}\n\n`),
    beat: () => write(':\n\n'),
    end: () => {
      if (isOpen()) out.end();
    },
    cutOff: () => out.destroy(),
  };
}

function format({ event, id, data }: StreamEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`;
}
