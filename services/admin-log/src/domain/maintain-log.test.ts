import { expect, test } from 'vitest';
import { type LogMaintenance, maintainLog } from './maintain-log.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const DAY = 86_400_000;
const month = (text: string) => Date.parse(`${text}-01T00:00:00Z`);

/** What maintenance does to a log with the given number of expired payloads and audit entries. */
async function maintained({ payloads = 0, audit = 0 } = {}) {
  const done: unknown[][] = [];
  const left = { payloads, audit };
  const take = (kind: keyof typeof left, limit: number) => {
    const taken = Math.min(left[kind], limit);
    left[kind] -= taken;
    return taken;
  };
  const maintenance: LogMaintenance = {
    ensureMonth: async (monthMs) => void done.push(['ensure', monthMs]),
    dropMonthsBefore: async (monthMs) => void done.push(['drop', monthMs]),
    removePayloadsBefore: async (day, limit) => {
      done.push(['payloads', day, limit]);
      return take('payloads', limit);
    },
    removeAuditBefore: async (beforeMs, limit) => {
      done.push(['audit', beforeMs, limit]);
      return take('audit', limit);
    },
    removeRecentCountsBefore: async (beforeMs) => void done.push(['recent counts', beforeMs]),
  };
  await maintainLog(maintenance, NOW, { payloadDays: 90, rowMonths: 13 });
  return done;
}

test('months are made ahead, and what has expired is removed', async () => {
  expect(await maintained()).toEqual([
    ['ensure', month('2026-01')],
    ['ensure', month('2026-02')],
    ['ensure', month('2026-03')],
    ['payloads', new Date(NOW - 92 * DAY).toISOString().slice(0, 10), 1_000],
    ['drop', month('2024-12')],
    ['audit', month('2024-12'), 1_000],
    ['recent counts', NOW - 8 * DAY],
  ]);
});

test.each([
  [999, 1],
  [1_000, 2],
  [2_500, 3],
])('%i expired payloads and entries are removed in batches', async (count, batches) => {
  const done = await maintained({ payloads: count, audit: count });
  for (const kind of ['payloads', 'audit'])
    expect(done.filter(([what]) => what === kind)).toHaveLength(batches);
});
