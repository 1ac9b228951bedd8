import type { OutboxRow } from '../src/outbox-rows.ts';

/**
 * What relays have dispatched, in the order in which it arrived. An event may arrive again, since delivery is at least once; what
 * counts is when it arrives first: an inbox ignores the rest.
 */
export function createHistory() {
  const entries: { relay: string; key: string; n: number }[] = [];
  return {
    append(relay: string, { key, payload }: Pick<OutboxRow, 'key' | 'payload'>): void {
      const n =
        typeof payload === 'object' && payload && 'loginCount' in payload ? Number(payload.loginCount) : NaN;
      entries.push({ relay, key, n });
    },
    length: () => entries.length,
    of: (relay: string) => entries.filter((entry) => entry.relay === relay),
    /** Returns the keys whose first arrivals are not `1 … count` in order. */
    violations(counts: Readonly<Record<string, number>>): string[] {
      const firsts = new Map<string, Set<number>>();
      for (const { key, n } of entries) firsts.set(key, (firsts.get(key) ?? new Set()).add(n));
      return Object.entries(counts).flatMap(([key, count]) => {
        const order = [...(firsts.get(key) ?? [])];
        const ordered = order.length === count && order.every((n, index) => n === index + 1);
        return ordered ? [] : [`${key}: ${order.join()}`];
      });
    },
  };
}
