import type { ChannelListener } from '@casewatch/shared-state/pub-sub/pub-sub';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createPubSubSignal } from './live-signal.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function createSignal({ isSubscribed = true, traceparent = undefined as string | undefined } = {}) {
  const clock = createManualClock();
  const published: string[][] = [];
  const heard: unknown[][] = [];
  let channel: ChannelListener | undefined;
  let isStopped = false;
  const signal = createPubSubSignal({
    pubSub: {
      publish: (...message) => void published.push(message),
      subscribe: (name, listener) => {
        expect(name).toBe('push-notifications');
        channel = listener;
        return {
          isSubscribed: () => isSubscribed,
          stop: () => {
            isStopped = true;
          },
        };
      },
    },
    clock,
    tracing: { traceparent: () => traceparent },
  });
  const listen = () =>
    signal.listen({ onKey: (...message) => heard.push(message), onGap: () => heard.push(['gap']) });
  return { signal, clock, published, heard, listen, channel: () => channel, isStopped: () => isStopped };
}

test('what is committed is one message with its trace, and nothing is published for no keys', () => {
  const { signal, published } = createSignal({ traceparent: TRACEPARENT });
  signal.committed([]);
  expect(published).toEqual([]);
  signal.committed(['ada', 'cases bob']);
  expect(published).toEqual([['push-notifications', `${TRACEPARENT}\nada\ncases bob`]]);
});

test('a listener hears each key, with the trace if there is one', async () => {
  const { listen, heard, channel } = createSignal();
  const subscription = listen();
  channel()?.onMessage(`${TRACEPARENT}\nada\nbob`);
  channel()?.onMessage('\ncarol');
  channel()?.onGap();
  expect(heard).toEqual([['ada', TRACEPARENT], ['bob', TRACEPARENT], ['carol'], ['gap']]);
  await subscription.stop();
});

test.each([
  [true, 60],
  [false, 5],
])(
  'it looks for what was missed (subscribed: %s) every %i seconds, until it stops',
  async (isSubscribed, seconds) => {
    const { listen, clock, heard, isStopped } = createSignal({ isSubscribed });
    const subscription = listen();
    await clock.advance(seconds * 1_000 - 1);
    expect(heard).toEqual([]);
    await clock.advance(1);
    expect(heard).toEqual([['gap']]);
    await clock.advance(seconds * 2_000);
    expect(heard).toHaveLength(3);
    await subscription.stop();
    expect(isStopped()).toBe(true);
    await clock.advance(300_000);
    expect(heard).toHaveLength(3);
  },
);

test('it looks for what was missed every minute, also after the clock was set back', async () => {
  const { listen, clock, heard } = createSignal();
  const subscription = listen();
  await clock.jump(-3_600_000);
  await clock.advance(65_000);
  expect(heard).toEqual([['gap']]);
  await subscription.stop();
});
