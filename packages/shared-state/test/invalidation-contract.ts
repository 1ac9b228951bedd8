import { expect, test } from 'vitest';
import type { Invalidation, Stale } from '../src/invalidation/invalidation.ts';

export function listenTo(invalidation: Invalidation) {
  const received: Stale[] = [];
  let gaps = 0;
  invalidation.subscribe({
    onStale: (what) => received.push(what),
    onGap: () => {
      gaps += 1;
    },
  });
  return { received, gaps: () => gaps };
}

/** `inOrder`: whether messages of one process arrive in its order; a cluster may accept them at different nodes. */
export function describeInvalidation(open: () => Promise<Invalidation>, { inOrder = true } = {}): void {
  const inAnOrder = (messages: readonly Stale[]) =>
    inOrder ? messages : messages.map((one) => JSON.stringify(one)).sort();

  test('every subscriber receives what has become stale, the publisher included', async () => {
    const invalidation = await open();
    const one = listenTo(invalidation);
    const other = listenTo(invalidation);
    expect(invalidation.isSubscribed()).toBe(true);
    invalidation.publish({ userId: 'u' });
    invalidation.publish({ sessionKey: 's', userId: undefined });
    const published = [{ userId: 'u' }, { sessionKey: 's' }];
    for (const { received } of [one, other]) {
      await expect.poll(() => inAnOrder(received)).toEqual(inAnOrder(published));
    }
  });
}
