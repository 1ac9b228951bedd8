import { caseObserved, lookupsRecorded } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { movedTime } from '@casewatch/service-kit/database/database-time';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import { allowedLink } from '../agency/html-to-text.ts';
import type { CallerQueue } from '../domain/agency-queue.ts';
import type { Observation } from '../domain/case-history.ts';
import type { CaseStore, LookUpRecord } from '../domain/case-store.ts';
import { CANCELED, type EndedLookup } from '../domain/lookup.ts';
import type { StoredAnswer, StoredCase } from '../domain/stored-case.ts';
import { toCaseObserved, toLookupsRecorded } from '../events/publishes.ts';
import { observationsAsJson } from './observation-json.ts';
import { writeNotRecognised, writeObservations } from './write-observations.ts';

interface SnapshotWithHistory {
  observed_at: Date | null;
  not_recognised_at: Date | null;
  status: string;
  description: string;
  links: StoredAnswer['links'];
  form_type: string;
  petition_type: string | null;
  substatus: string | null;
  channel_type: string | null;
  submitted_date: string | null;
  modified_date: string | null;
  status_es: string | null;
  description_es: string | null;
  links_es: StoredAnswer['links'] | null;
  age_ms: number;
  observations: Observation[] | null;
}

/** The read of every look-up that this process does not remember: one statement, two index scans. */
const FIND = {
  name: 'find-case',
  text: `
    SELECT observed_at, not_recognised_at, status, description, links, form_type, petition_type, substatus,
           channel_type, submitted_date, modified_date, status_es, description_es, links_es,
           (extract(epoch FROM coalesce($2, clock_timestamp()) - answered_at) * 1000)::float8 AS age_ms,
           ${observationsAsJson('case_snapshots', { inSpanish: true })}
    FROM case_snapshots WHERE receipt_number = $1`,
};

/** `linkHosts`: stored links to other hosts are left out: the list may have been longer when they were stored */
export function createCaseStore(
  pool: Pool,
  bus: EventBus,
  queue: Pick<CallerQueue, 'end'>,
  { linkHosts, clock }: { linkHosts: readonly string[]; clock: Clock },
): CaseStore {
  return {
    async find(receiptNumber) {
      const { rows } = await pool.query<SnapshotWithHistory>({
        ...FIND,
        values: [receiptNumber, movedTime(clock)],
      });
      return rows[0] && toStoredCase(receiptNumber, rows[0], linkHosts);
    },
    record: (records) =>
      inTransaction(pool, async (tx) => {
        const answers = records.flatMap(({ answer }) => answer ?? []);
        const observed = answers.flatMap(({ says }) => (typeof says === 'string' ? [] : says));
        const denied = answers.flatMap(({ call, says }) => (says === 'not-recognized' ? call : []));
        const deniedNumbers = denied.map(({ receiptNumber }) => receiptNumber);
        await writeObservations(tx, movedTime(clock), observed, deniedNumbers);
        await writeNotRecognised(tx, movedTime(clock), denied);
        const ended = await queue.end(
          records.map(({ end }) => end),
          tx,
        );
        await publishAnswers(tx, bus, records);
        const rows = records.flatMap(({ ended: row }) => (row ? asSeen(row, ended) : []));
        await bus.publishAll(tx, lookupsRecorded, toLookupsRecorded(rows));
        return ended;
      }),
    // Without a hint for the relay: its next poll takes the rows of many such transactions, and admin-log stores them in one.
    recordLookups: (rows) =>
      inTransaction(pool, (tx) =>
        bus.publishAll(
          { query: tx.query, afterCommit: () => undefined },
          lookupsRecorded,
          toLookupsRecorded(rows),
        ),
      ),
  };
}

/**
 * A client that has left got no answer, whatever there was to say. A lookup that waits no more has its row already: of an answer that
 * came before this one, or of the process that has waited in vain.
 */
function asSeen(row: EndedLookup, ended: ReadonlyMap<string, boolean>): EndedLookup[] {
  const isCanceled = ended.get(row.asker.lookup.id);
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
  receiptNumber: string,
  row: SnapshotWithHistory,
  linkHosts: readonly string[],
): StoredCase {
  const isAllowed = ({ href }: { href: string }) => allowedLink(href, linkHosts) !== undefined;
  return {
    receiptNumber,
    notRecognisedAtMs: row.not_recognised_at?.getTime() ?? null,
    ageMs: row.age_ms,
    answer: row.observed_at && {
      observedAtMs: row.observed_at.getTime(),
      status: row.status,
      description: row.description,
      links: row.links.filter(isAllowed),
      statusEs: row.status_es,
      descriptionEs: row.description_es,
      linksEs: (row.links_es ?? []).filter(isAllowed),
      formType: row.form_type,
      petitionType: row.petition_type,
      substatus: row.substatus,
      channelType: row.channel_type,
      submittedDate: row.submitted_date,
      modifiedDate: row.modified_date,
      observations: row.observations ?? [],
    },
  };
}
