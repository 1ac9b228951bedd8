import type { ServerResponse } from 'node:http';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createStreamOpenings } from './stream-openings.ts';

const clock = createManualClock();

/** The answer to a stream that may not open yet. */
function answerOf(openings: ReturnType<typeof createStreamOpenings>) {
  const sent: unknown[] = [];
  const res: Pick<ServerResponse, 'writeHead' | 'end'> = {
    writeHead: (...head: unknown[]) => {
      sent.push(...head);
      return res as ServerResponse;
    },
    end: (text: unknown) => {
      sent.push(text);
      return res as ServerResponse;
    },
  };
  openings.reject(res as ServerResponse);
  return sent;
}

test('however long no stream was opened, no more than those of a second are opened at once', async () => {
  const openings = createStreamOpenings(clock, 3);
  await clock.advance(60_000);
  expect([1, 2, 3, 4].map(() => openings.admit())).toEqual([true, true, true, false]);
  await clock.advance(333);
  expect(openings.admit()).toBe(false);
  await clock.advance(1);
  expect([openings.admit(), openings.admit()]).toEqual([true, false]);
});

test('those rejected retry in turn, each up to a second later at random, and none later than a minute', async () => {
  const type = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' };
  const openings = createStreamOpenings(clock, 2, () => 0.5);
  const retries = Array.from({ length: 200 }, () => answerOf(openings));
  expect(retries[0]).toEqual([200, type, 'retry: 2000\n\n']);
  expect(retries[1]).toEqual([200, type, 'retry: 2500\n\n']);
  expect(retries[199]).toEqual([200, type, 'retry: 60500\n\n']);
  // The queue gets shorter as time goes by.
  await clock.advance(99_000);
  expect(answerOf(openings)).toEqual([200, type, 'retry: 3000\n\n']);
  await clock.advance(60_000);
  expect(answerOf(openings)).toEqual([200, type, 'retry: 2000\n\n']);
});

test('a clock that is set back keeps no stream from being opened, and rejects none with a Retry-After', async () => {
  const openings = createStreamOpenings(clock, 2, () => 0);
  answerOf(openings);
  await clock.jump(-86_400_000);
  expect([openings.admit(), openings.admit(), openings.admit()]).toEqual([true, true, false]);
  expect(answerOf(openings)[2]).toBe('retry: 2000\n\n');
  await clock.advance(500);
  expect(openings.admit()).toBe(true);
});
