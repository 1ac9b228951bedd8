import { expect, test, vi } from 'vitest';
import type { Invalidation, Stale } from '../src/invalidation/invalidation.ts';

export function listenTo(invalidation: Invalidation) {
  const heard: Stale[] = [];
  let gaps = 0;
  invalidation.listen({
    onStale: (what) => heard.push(what),
    onGap: () => {
      gaps += 1;
    },
  });
  return { heard, gaps: () => gaps };
}

/** `inOrder`: whether what one process tells is heard in its order; a cluster may take it in at different nodes. */
export function describeInvalidation(open: () => Promise<Invalidation>, { inOrder = true } = {}): void {
  const inAnOrder = (news: readonly Stale[]) =>
    inOrder ? news : news.map((one) => JSON.stringify(one)).sort();

  test('everybody who listens hears what has become stale, the one who tells it too', async () => {
    const invalidation = await open();
    const one = listenTo(invalidation);
    const other = listenTo(invalidation);
    expect(invalidation.hears()).toBe(true);
    invalidation.tell({ userId: 'u' });
    invalidation.tell({ sessionKey: 's', userId: undefined });
    const told = [{ userId: 'u' }, { sessionKey: 's' }];
    for (const { heard } of [one, other]) {
      await vi.waitFor(() => expect(inAnOrder(heard)).toEqual(inAnOrder(told)));
    }
  });
}
