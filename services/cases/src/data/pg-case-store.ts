import { agencyCalled, agencyCallsRecorded, caseObserved } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import { allowedLink } from '../agency/agency-links.ts';
import type { Observation } from '../domain/case-history.ts';
import type { CaseStore, LastAnswer } from '../domain/case-store.ts';
import { type EndedLookup, isKnownToWatch } from '../domain/lookup.ts';
import type { StoredAnswer, StoredCase } from '../domain/stored-case.ts';
import {
  type ObservedFacts,
  toAgencyCalled,
  toAgencyCallsRecorded,
  toCaseObserved,
} from '../events/publishes.ts';
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
  /** The same as `observed_at`, unless an older process has stored a newer answer without Spanish texts. */
  spanish_at: Date | null;
  observations: Observation[] | null;
}

/** The column `observations` of a row with a receipt number: an array of `Observation`, or null. */
export const observationsAsJson = (of: string, { inSpanish }: { inSpanish: boolean }) => `
  (SELECT json_agg(json_build_object(
     'status', seen.status, ${inSpanish ? "'statusEs', seen.status_es," : ''} 'statusDate', seen.status_date, 'source', seen.source,
     'statusAtMs', (extract(epoch FROM seen.status_at) * 1000)::bigint,
     'firstObservedAtMs', (extract(epoch FROM seen.first_observed_at) * 1000)::bigint,
     'lastObservedAtMs', (extract(epoch FROM seen.last_observed_at) * 1000)::bigint))
   FROM observations AS seen WHERE seen.receipt_number = ${of}.receipt_number) AS observations`;

/** The read of every look-up that this process does not remember: one statement, two index scans. */
const FIND = {
  name: 'find-case',
  text: `
    SELECT observed_at, not_recognised_at, status, description, links, form_type, petition_type, substatus,
           channel_type, submitted_date, modified_date, status_es, description_es, links_es, spanish_at,
           ${observationsAsJson('case_snapshots', { inSpanish: true })}
    FROM case_snapshots WHERE receipt_number = $1`,
};

const LAST_ANSWERS = {
  name: 'last-answers',
  text: `
    SELECT receipt_number, status, not_recognised_at IS NOT NULL AS denied,
           GREATEST(observed_at, not_recognised_at) > $2 AS is_recent,
           CASE WHEN facts_at = observed_at THEN facts_hash END AS facts_hash, answer_hash, answer_call_id,
           CASE WHEN answer_logged_at >= $3 THEN date_part('epoch', answer_logged_at) END AS logged_seconds
    FROM case_snapshots WHERE receipt_number = ANY($1::text[])`,
};

interface LastAnswerRow {
  receipt_number: string;
  status: string;
  denied: boolean;
  is_recent: boolean;
  facts_hash: string | null;
  answer_hash: string | null;
  answer_call_id: string | null;
  logged_seconds: number | null;
}

const LAST_OBSERVED = `
  SELECT receipt_number AS "receiptNumber", status, description, form_type AS "formType",
         submitted_date AS "submittedDate", modified_date AS "modifiedDate", observed_at
  FROM case_snapshots WHERE receipt_number = ANY($1::text[]) AND observed_at IS NOT NULL`;

/** @param linkHosts stored links to other hosts are left out: the list may have been longer when they were stored */
export function createCaseStore(pool: Pool, bus: EventBus, linkHosts: readonly string[]): CaseStore {
  return {
    async find(receiptNumber) {
      const { rows } = await pool.query<SnapshotWithHistory>({ ...FIND, values: [receiptNumber] });
      return rows[0] && toStoredCase(receiptNumber, rows[0], linkHosts);
    },
    async lastAnswers(receiptNumbers, { recentMs, loggedMs }) {
      const { rows } = await pool.query<LastAnswerRow>({
        ...LAST_ANSWERS,
        values: [receiptNumbers, new Date(recentMs), new Date(loggedMs)],
      });
      return new Map(rows.map((row) => [row.receipt_number, toLastAnswer(row)]));
    },
    async record(records) {
      const lookups = records.flatMap(({ ended }) => ended ?? []);
      const recordOf = new Map(records.map((record) => [record.observed?.receiptNumber, record]));
      const observed = records.flatMap((record) => record.observed ?? []);
      const denied = records.flatMap((record) => record.notRecognised ?? []);
      if (lookups.length + observed.length + denied.length === 0) return;
      // A user's lookup is published in any case, and waits for each round trip.
      const compare = records.some(({ asker }) => asker.source === 'monitor');
      await inTransaction(pool, async (tx) => {
        const written = await writeObservations(tx, observed, {
          compare,
          denied: denied.map(({ receiptNumber }) => receiptNumber),
        });
        await writeNotRecognised(tx, denied);
        const news = written.flatMap(({ receiptNumber, status, snapshot, statusBefore }) => {
          const record = recordOf.get(receiptNumber);
          if (!record) return [];
          // After another status, its event may still be on its way to the watch.
          if (statusBefore === status && isKnownToWatch(record.asker, status)) return [];
          return toCaseObserved(snapshot(), record.asker.source, record.answerMs);
        });
        if (news.length > 0) await bus.publishAll(tx, caseObserved, news);
        await publishLookups(tx, bus, lookups);
      });
    },
    publishAgain: (receiptNumbers) =>
      inTransaction(pool, async (tx) => {
        const rows = await tx.query<Omit<ObservedFacts, 'observedAt'> & { observed_at: Date }>(
          LAST_OBSERVED,
          [receiptNumbers],
        );
        const news = rows.map(({ observed_at, ...facts }) =>
          toCaseObserved({ ...facts, observedAt: observed_at.toISOString() }, 'monitor'),
        );
        await bus.publishAll(tx, caseObserved, news);
      }),
    recordLookups: (rows) => inTransaction(pool, (tx) => publishLookups(tx, bus, rows)),
  };
}

/** Rows of one transaction share events; a single one is what admin-log handles together with others of its kind. */
async function publishLookups(tx: SqlExecutor, bus: EventBus, rows: readonly EndedLookup[]): Promise<void> {
  const [first, ...others] = rows;
  if (!first) return;
  if (others.length === 0) await bus.publish(tx, agencyCalled, toAgencyCalled(first));
  else await bus.publishAll(tx, agencyCallsRecorded, toAgencyCallsRecorded(rows));
}

function toLastAnswer(row: LastAnswerRow): LastAnswer {
  const { status, denied, is_recent, facts_hash, answer_hash, answer_call_id, logged_seconds } = row;
  const logged =
    answer_call_id !== null && logged_seconds !== null
      ? { callId: answer_call_id, endedAtMs: Math.round(logged_seconds * 1_000) }
      : undefined;
  const known =
    facts_hash !== null && answer_hash !== null
      ? { status, factsHash: facts_hash, answerHash: answer_hash, logged }
      : undefined;
  return { status: denied ? null : status, isRecent: is_recent, known };
}

function toStoredCase(
  receiptNumber: string,
  row: SnapshotWithHistory,
  linkHosts: readonly string[],
): StoredCase {
  const isAllowed = ({ href }: { href: string }) => allowedLink(href, linkHosts) !== undefined;
  const hasSpanish = row.spanish_at?.getTime() === row.observed_at?.getTime();
  return {
    receiptNumber,
    notRecognisedAtMs: row.not_recognised_at?.getTime() ?? null,
    answer: row.observed_at && {
      observedAtMs: row.observed_at.getTime(),
      status: row.status,
      description: row.description,
      links: row.links.filter(isAllowed),
      statusEs: hasSpanish ? row.status_es : null,
      descriptionEs: hasSpanish ? row.description_es : null,
      linksEs: hasSpanish ? (row.links_es ?? []).filter(isAllowed) : [],
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
