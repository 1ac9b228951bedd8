import { isRealDay } from '@casewatch/contracts/case-date-kinds';
import { foldStatus, isSameStatus } from '@casewatch/contracts/fold-status';
import { normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { needsAction } from '@casewatch/contracts/status-guide';
import {
  SAVED_CASE_SORTS,
  type SavedCaseSort,
  type SavedCasesPage,
  type SavedCasesQuery,
  type WorkspaceSummary,
} from '@casewatch/contracts/workspace';
import { invalidField } from '@casewatch/service-kit/errors/app-error';
import type { Pool } from 'pg';
import { z } from 'zod';
import { SAVED_COLUMNS, type SavedRow, toSavedCase } from './saved-case-rows.ts';
import { storableTime } from './storable-time.ts';

type SortName = SavedCaseSort | 'nickname-es';

/** What each order sorts by, as its index has it, and the type of a cursor's key. */
const SORTS: Readonly<Record<SortName, { by: string; type: 'text' | 'timestamptz' | 'date' }>> = {
  created: { by: 'created_at', type: 'timestamptz' },
  receipt: { by: 'receipt_number', type: 'text' },
  // As dictionaries have it (CLDR): accents and case decide only between names that are the same without.
  nickname: { by: `coalesce(nickname, '') COLLATE "und-x-icu"`, type: 'text' },
  // N is before ñ, and ñ before o.
  'nickname-es': { by: `coalesce(nickname, '') COLLATE "es-x-icu"`, type: 'text' },
  status: { by: `coalesce(last_known_status, '')`, type: 'text' },
  form: { by: `coalesce(form_type, '')`, type: 'text' },
  changed: { by: `coalesce(status_changed_at, '-infinity')`, type: 'timestamptz' },
  monitoring: { by: 'monitoring_frequency', type: 'text' },
  // Cases without one come last.
  date: { by: `coalesce(first_open_day, 'infinity')`, type: 'date' },
};

const cursorSchema = z.tuple([
  z.enum([...SAVED_CASE_SORTS, 'nickname-es']),
  z.enum(['asc', 'desc']),
  z.string(),
  z.guid(),
]);

interface Statement {
  text: string;
  values: unknown[];
}

/** Reads a page of a user's saved cases, and with the first one what there is to filter by. */
export async function readPage(pool: Pool, userId: string, query: SavedCasesQuery): Promise<SavedCasesPage> {
  const needsStatuses = isByStatus(query) || query.sort === 'status';
  const statuses = needsStatuses ? await readStatuses(pool, userId, query) : [];
  const isFirst = query.cursor === undefined;
  const [page, summary] = await Promise.all([
    pool.query<SavedRow & { key: string }>(pageStatement(userId, query, statuses)),
    isFirst ? readSummary(pool, userId, query, statuses) : null,
  ]);
  const rows = page.rows.slice(0, query.limit);
  const last = rows.at(-1);
  const next = last && page.rows.length > query.limit ? toCursor(query, last.key, last.id) : null;
  return { cases: rows.map(toSavedCase), next, summary };
}

/** Returns one more than the page, which shows whether another follows. */
export function pageStatement(
  userId: string,
  query: SavedCasesQuery,
  statuses: readonly string[],
): Statement {
  const { conditions, values, bind } = filtersOf(userId, query, statuses);
  const { by: column, type } = SORTS[sortOf(query)];
  const by = query.sort === 'status' ? withOneSpelling(column, statuses, bind) : column;
  const direction = query.order === 'asc' ? 'ASC' : 'DESC';
  if (query.cursor !== undefined) {
    const { key, id } = fromCursor(query, query.cursor);
    const after = query.order === 'asc' ? '>' : '<';
    // A receipt number is one of a kind, and its index ends with it.
    conditions.push(
      query.sort === 'receipt'
        ? `receipt_number ${after} ${bind(key)}`
        : `(${by}, id) ${after} (${bind(key)}::${type}, ${bind(id)}::uuid)`,
    );
  }
  const order = query.sort === 'receipt' ? `${by} ${direction}` : `${by} ${direction}, id ${direction}`;
  const text = `
    SELECT ${SAVED_COLUMNS}, (${by})::text AS key FROM saved_cases
    WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${query.limit + 1}`;
  return { text, values };
}

/** Returns everything but the page in one scan of the user's cases. */
export function summaryStatement(
  userId: string,
  query: SavedCasesQuery,
  statuses: readonly string[],
): Statement {
  const { conditions, values } = filtersOf(userId, query, statuses);
  const text = `
    WITH own AS MATERIALIZED (SELECT * FROM saved_cases WHERE user_id = $1::uuid),
         shown AS MATERIALIZED (SELECT * FROM own WHERE (archived_at IS NOT NULL) = $2)
    SELECT 'matching' AS facet, '' AS value, count(*)::int AS count FROM own WHERE ${conditions.join(' AND ')}
    UNION ALL SELECT 'active', '', count(*)::int FROM own WHERE archived_at IS NULL
    UNION ALL SELECT 'archived', '', count(*)::int FROM own WHERE archived_at IS NOT NULL
    UNION ALL SELECT 'status', last_known_status, count(*)::int FROM shown
      WHERE last_known_status IS NOT NULL GROUP BY last_known_status
    UNION ALL SELECT 'form', form_type, count(*)::int FROM shown WHERE form_type IS NOT NULL GROUP BY form_type
    UNION ALL SELECT 'tag', min(tag), count(*)::int FROM shown, unnest(tags) AS tag GROUP BY ${tagKey('tag')}`;
  return { text, values };
}

async function readSummary(
  pool: Pool,
  userId: string,
  query: SavedCasesQuery,
  statuses: readonly string[],
): Promise<WorkspaceSummary> {
  const { rows } = await pool.query<{ facet: string; value: string; count: number }>(
    summaryStatement(userId, query, statuses),
  );
  const facet = (name: string) =>
    rows
      .filter((row) => row.facet === name)
      .map(({ value, count }) => ({ value, count }))
      .sort((one, other) => one.value.localeCompare(other.value, query.language));
  const count = (name: string) => facet(name)[0]?.count ?? 0;
  const ofStatus = withoutSpellings(facet('status'));
  return {
    matching: count('matching'),
    active: count('active'),
    archived: count('archived'),
    needsAction: ofStatus.reduce((sum, one) => sum + (needsAction(one.value) ? one.count : 0), 0),
    statuses: ofStatus,
    forms: facet('form'),
    tags: facet('tag'),
  };
}

/** Counts the spellings of one status together, under the one that most cases have. */
function withoutSpellings(facet: WorkspaceSummary['statuses']): WorkspaceSummary['statuses'] {
  const byStatus = Map.groupBy(facet, ({ value }) => foldStatus(value));
  return [...byStatus.values()].map((spellings) => ({
    value: spellings.reduce((most, other) => (other.count > most.count ? other : most)).value,
    count: spellings.reduce((sum, { count }) => sum + count, 0),
  }));
}

/** Sorts the spellings of one status together, as the first of them. A user who has no two of any keeps to the index. */
function withOneSpelling(
  column: string,
  statuses: readonly string[],
  bind: (value: unknown) => string,
): string {
  const byStatus = Map.groupBy(statuses.toSorted(), foldStatus);
  const others = [...byStatus.values()].flatMap(([first, ...others]) =>
    others.map((other) => [other, first]),
  );
  if (others.length === 0) return column;
  return `coalesce(${bind(JSON.stringify(Object.fromEntries(others)))}::jsonb ->> ${column}, ${column})`;
}

const isByStatus = ({ status, needsAction }: SavedCasesQuery) => Boolean(status) || needsAction !== undefined;

/** The statuses of a user's cases that fit the filters: which titles are one status, and which need action, is decided in TypeScript alone. */
async function readStatuses(pool: Pool, userId: string, query: SavedCasesQuery): Promise<string[]> {
  const { rows } = await pool.query<{ status: string }>({
    name: 'list-statuses',
    text: `SELECT DISTINCT coalesce(last_known_status, '') AS status FROM saved_cases WHERE user_id = $1`,
    values: [userId],
  });
  return rows
    .map(({ status }) => status)
    .filter((status) => !query.status || isSameStatus(status, query.status))
    .filter((status) => query.needsAction === undefined || needsAction(status) === query.needsAction);
}

/** `$1` is the user, `$2` whether archived cases are requested. */
function filtersOf(userId: string, query: SavedCasesQuery, statuses: readonly string[]) {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    `user_id = ${bind(userId)}::uuid`,
    `(archived_at IS NOT NULL) = ${bind(query.archived)}`,
  ];
  const { search, form, tag, monitoring, changedSince, dateUntil } = query;
  if (search) {
    const found = folded(bind(search));
    const number = bind(normaliseReceiptNumber(search));
    conditions.push(
      `(strpos(receipt_number, ${number}) > 0 OR strpos(${folded('nickname')}, ${found}) > 0
        OR EXISTS (SELECT FROM unnest(tags) AS tag WHERE strpos(${folded('tag')}, ${found}) > 0))`,
    );
  }
  if (isByStatus(query)) conditions.push(`coalesce(last_known_status, '') = ANY(${bind(statuses)}::text[])`);
  if (form) conditions.push(`coalesce(form_type, '') = ${bind(form)}`);
  if (tag)
    conditions.push(`EXISTS (SELECT FROM unnest(tags) AS one WHERE ${tagKey('one')} = ${tagKey(bind(tag))})`);
  if (monitoring === 'any') conditions.push(`monitoring_frequency <> 'none'`);
  else if (monitoring) conditions.push(`monitoring_frequency = ${bind(monitoring)}`);
  if (dateUntil) conditions.push(`first_open_day <= ${bind(dateUntil)}::date`);
  if (changedSince) {
    const [instant, atAgency] = [changedSince, asGmt(changedSince)].map(storableTime).map(bind);
    conditions.push(
      `status_changed_at >= CASE WHEN status_date IS NULL THEN ${instant} ELSE ${atAgency} END::timestamptz`,
    );
  }
  return { conditions, values, bind };
}

/** The agency's dates are in no time zone and stored as if in GMT: they are compared with day and time where the reader is. */
function asGmt(time: string): string {
  return time.replace(/(?:Z|[+-]\d\d:\d\d)$/, 'Z');
}

/**
 * Makes accents, vowel signs, case, dashes, apostrophes and the forms that Unicode has for one text no difference; what is no accent to
 * Unicode is spelled out.
 */
function folded(sql: string): string {
  const plain = `lower(regexp_replace(normalize(${sql}, NFKD), '[\\u0300-\\u036f\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u200b-\\u200f]+', '', 'g') COLLATE "und-x-icu")`;
  const letters = `translate(${plain}, 'đðħıłøς-‐‒–—''’‘ʼ\u0060', 'ddhiloσ     ')`;
  return `replace(replace(replace(${letters}, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')`;
}

/** What the spellings of one tag have in common, as in `tag-spelling.ts`. */
const tagKey = (sql: string) =>
  `lower(btrim(regexp_replace(normalize(${sql}, NFKC), '\\s+', ' ', 'g')) COLLATE "und-x-icu")`;

function sortOf({ sort, language }: SavedCasesQuery): SortName {
  return sort === 'nickname' && language === 'es' ? 'nickname-es' : sort;
}

function toCursor(query: SavedCasesQuery, key: string, id: string): string {
  return Buffer.from(JSON.stringify([sortOf(query), query.order, key, id])).toString('base64url');
}

function fromCursor(query: SavedCasesQuery, text: string): { key: string; id: string } {
  const cursor = cursorSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  const [sort, order, key, id] = cursor.data ?? [];
  if (sort === sortOf(query) && order === query.order && key !== undefined && id !== undefined) {
    const place = keyOf(key, sort);
    if (place !== undefined) return { key: place, id };
  }
  throw invalidField('cursor', { en: 'This cursor does not belong to a list in this order.' });
}

/** Undefined for what no row sorts by. */
function keyOf(key: string, sort: SortName): string | undefined {
  if (SORTS[sort].type === 'text') return key.includes('\u0000') ? undefined : key;
  if (SORTS[sort].type === 'date') return key === 'infinity' || isRealDay(key) ? key : undefined;
  if (key === '-infinity') return key;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/.test(key)) return undefined;
  const time = key.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00');
  return Number.isNaN(Date.parse(time)) ? undefined : storableTime(time);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
