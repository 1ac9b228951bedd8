import type { WatchedProduct } from './watched-product.ts';

/** What events have effects on, and what is published because of them. */
const TABLES = [
  'cases.saved_cases',
  'cases.removed_cases',
  'cases.case_snapshots',
  'cases.observations',
  'monitoring.watches',
  'monitoring.watchers',
  'notifications.notifications',
  'notifications.recipients',
  'monitoring.dead_letters',
  'notifications.dead_letters',
];
/** Without the lists of watches, which are published by themselves. */
const OUTBOXES = ['cases.outbox', 'monitoring.outbox', 'notifications.outbox'].map(
  (table) => `(SELECT * FROM ${table} WHERE topic <> 'case-watches-listed')`,
);

/** How many rows each table has, and what is in all of them together. */
export async function effectsOf({ database }: WatchedProduct): Promise<Record<string, string>> {
  const facts = [
    ...TABLES.map((table) => [table, 't.*'] as const),
    ...OUTBOXES.map((table) => [table, 't.id'] as const),
  ];
  const rows = await Promise.all(
    facts.map(([table, what]) =>
      database.query<{ digest: string }>(
        `SELECT count(*) || ' rows: ' || coalesce(md5(string_agg(line, ',' ORDER BY line)), '') AS digest
         FROM (SELECT (${what})::text AS line FROM ${table} AS t) AS lines`,
      ),
    ),
  );
  return Object.fromEntries(facts.map(([table], index) => [table, rows[index]?.[0]?.digest ?? '']));
}
