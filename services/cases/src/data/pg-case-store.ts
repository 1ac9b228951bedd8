import { caseObserved, lookupsRecorded } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { movedTime } from '@casewatch/service-kit/database/database-time';
import { poolExecutor, type SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createGatheredReads } from '@casewatch/service-kit/runtime/gathered-reads';
import type { Pool } from 'pg';
import { allowedLink } from '../agency/html-to-text.ts';
import type { CallerQueue } from '../domain/agency-queue.ts';
import type { CaseStore, LookUpRecord } from '../domain/case-store.ts';
import { CANCELED, type EndedLookup } from '../domain/lookup.ts';
import type { StoredAnswer, StoredCase } from '../domain/stored-case.ts';
import { toCaseObserved, toLookupsRecorded } from '../events/publishes.ts';
import { observationsAsJson, writeNotRecognized, writeObservations } from './write-observations.ts';

/** All that is stored of a case; there was never an answer with a status where `observedAtMs` is null. */
type FoundCase = Omit<StoredCase, 'answer'> &
  Omit<StoredAnswer, 'observedAtMs'> & { observedAtMs: number | null };

/** The read of every lookup: one statement for the lookups of the moment, an index scan for each. */
const FIND = {
  name: 'find-cases',
  text: `
    SELECT receipt_number AS "receiptNumber",
           (extract(epoch FROM not_recognized_at) * 1000)::float8 AS "notRecognizedAtMs",
           not_recognized_message AS "notRecognizedMessage",
           (extract(epoch FROM coalesce($2, clock_timestamp()) - answered_at) * 1000)::float8 AS "ageMs",
           (extract(epoch FROM observed_at) * 1000)::float8 AS "observedAtMs",
           status, description, links, status_es AS "statusEs", description_es AS "descriptionEs",
           coalesce(links_es, '[]') AS "linksEs", form_type AS "formType", petition_type AS "petitionType", substatus,
           channel_type AS "channelType", submitted_date AS "submittedDate", modified_date AS "modifiedDate",
           ${observationsAsJson('case_snapshots', { inSpanish: true })}
    FROM case_snapshots WHERE receipt_number = ANY ($1::text[])`,
};

/** `linkHosts`: stored links to other hosts are left out: the list may have been longer when they were stored */
export function createCaseStore(
  pool: Pool,
  bus: EventBus,
  queue: Pick<CallerQueue, 'end'>,
  { linkHosts, clock }: { linkHosts: readonly string[]; clock: Clock },
): CaseStore {
  const read = createGatheredReads(
    async (receiptNumbers) => {
      const { rows } = await pool.query<FoundCase>({ ...FIND, values: [receiptNumbers, movedTime(clock)] });
      return new Map(rows.map((row) => [row.receiptNumber, row]));
    },
    { keysPerRead: 500 },
  );
  return {
    async find(receiptNumber) {
      const row = await read(receiptNumber);
      return row && toStoredCase(row, linkHosts);
    },
    record: (records) =>
      inTransaction(pool, async (tx) => {
        const answers = records.flatMap(({ answer }) => answer ?? []);
        const observed = answers.flatMap(({ says }) => (typeof says === 'string' ? [] : says));
        const denied = answers.flatMap(({ call, says, agencyMessage }) =>
          says === 'not-recognized' ? { ...call, agencyMessage } : [],
        );
        const deniedNumbers = denied.map(({ receiptNumber }) => receiptNumber);
        await writeObservations(tx, movedTime(clock), observed, deniedNumbers);
        await writeNotRecognized(tx, movedTime(clock), denied);
        const ended = await queue.end(
          records.map(({ end }) => end),
          tx,
        );
        await publishAnswers(tx, bus, records);
        const rows = records.flatMap(({ ended: row }) => (row ? asSeen(row, ended) : []));
        await bus.publishAll(tx, lookupsRecorded, toLookupsRecorded(rows));
        return ended;
      }),
    // One statement, which is a transaction of its own: answers wait for it. Without a hint for the relay: its next poll takes the rows of
    // many such statements, and admin-log stores them in one transaction.
    recordLookups: (rows) =>
      bus.publishAll(
        { query: poolExecutor(pool).query, afterCommit: () => undefined, isStatement: true },
        lookupsRecorded,
        toLookupsRecorded(rows),
      ),
  };
}

/**
 * A client that has left got no answer, whatever there was to say. A lookup that waits no more has its row already: of an answer that
 * came before this one, or of the process that has waited in vain.
 */
function asSeen(row: EndedLookup, ended: ReadonlyMap<string, boolean>): EndedLookup[] {
  const isCanceled = ended.get(row.requester.lookup.id);
  if (isCanceled === undefined) return [];
  return [isCanceled ? { ...row, ...CANCELED } : row];
}

/** One statement, but for events that belong to traces of their own. */
async function publishAnswers(
  tx: SqlExecutor,
  bus: EventBus,
  records: readonly LookUpRecord[],
): Promise<void> {
  const untraced = records.filter(({ inTrace }) => !inTrace);
  await bus.publishAll(tx, caseObserved, untraced.flatMap(toCaseObserved));
  for (const record of records) {
    await record.inTrace?.(() => bus.publishAll(tx, caseObserved, toCaseObserved(record)));
  }
}

function toStoredCase(
  { receiptNumber, notRecognizedAtMs, notRecognizedMessage, ageMs, observedAtMs, ...facts }: FoundCase,
  linkHosts: readonly string[],
): StoredCase {
  const stored = { receiptNumber, notRecognizedAtMs, notRecognizedMessage, ageMs };
  if (observedAtMs === null) return { ...stored, answer: null };
  const isAllowed = ({ href }: { href: string }) => allowedLink(href, linkHosts) !== undefined;
  const links = facts.links.filter(isAllowed);
  const linksEs = facts.linksEs.filter(isAllowed);
  return { ...stored, answer: { ...facts, observedAtMs, links, linksEs } };
}
