import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';

/** A reader that takes nothing. */
const createReader = () => new Writable({ write: () => undefined });

test('a reader that is slow is waited for, and cut off when more than 256 KiB wait for it', () => {
  const out = createReader();
  const stream = new EventStream(out);
  const beginning = 'event: e\ndata: ""\n\n'.length;
  stream.send([{ event: 'e', data: 'x'.repeat(256 * 1_024 - beginning) }]);
  expect(out.writableLength).toBe(256 * 1_024);
  stream.beat();
  expect([out.destroyed, stream.open]).toEqual([false, true]);
  stream.beat();
  expect([out.destroyed, stream.open]).toEqual([true, false]);
});

test.each([
  ['has ended', (out: Writable) => out.end()],
  ['was destroyed', (out: Writable) => out.destroy()],
])('nothing is written to a stream that %s', async (_what, close) => {
  const out = createReader();
  const failed = new Promise<unknown>((resolve) => {
    out.once('error', resolve);
    setImmediate(resolve);
  });
  const stream = new EventStream(out);
  close(out);
  expect(stream.open).toBe(false);
  stream.beat();
  stream.end();
  expect(await failed).toBeUndefined();
});
