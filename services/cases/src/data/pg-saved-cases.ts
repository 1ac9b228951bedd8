import type { CaseDate } from '@casewatch/contracts/case-dates';
import type { CaseDetails } from '@casewatch/contracts/case-nicknames';
import { CASES_PER_OVERVIEW, type CaseOverview } from '@casewatch/contracts/case-overviews';
import { savedCasesChanged } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { movedTime } from '@casewatch/service-kit/database/database-time';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import type { SavedCaseStore } from '../domain/saved-case-store.ts';
import { createListReader } from './list-saved-cases.ts';
import { ownSavedCases } from './own-saved-cases.ts';
import { publishWatches } from './publish-watches.ts';
import {
  dayOf,
  REMOVED_COLUMNS,
  type RemovedRow,
  restorableSince,
  SAVED_COLUMNS,
  type SavedRow,
  toRemovedCase,
  toSavedCase,
} from './saved-case-rows.ts';
import { readPage } from './saved-cases-page.ts';
import { lockUser } from './user-rows.ts';

/** Smaller than every id. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

const LIST_CHOSEN = {
  name: 'list-chosen-cases',
  text: `
    SELECT ${SAVED_COLUMNS} FROM saved_cases WHERE user_id = $1 AND receipt_number = ANY($2::text[])
    ORDER BY created_at DESC, id DESC`,
};

const LIST_REMOVED = {
  name: 'list-removed-cases',
  text: `
    SELECT ${REMOVED_COLUMNS} FROM removed_cases WHERE user_id = $1 AND removed_at >= ${restorableSince('$2')}
    ORDER BY removed_at DESC, receipt_number LIMIT $3`,
};

const PURGE_REMOVED = `
  DELETE FROM removed_cases WHERE (user_id, receipt_number) IN (
    SELECT user_id, receipt_number FROM removed_cases WHERE removed_at < ${restorableSince('$1')}
    ORDER BY removed_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const DETAILS = {
  name: 'list-case-details',
  text: `
    SELECT user_id AS "userId", receipt_number AS "receiptNumber", nickname, form_type AS "formType",
      snoozed_until AS "snoozedUntil", archived_at IS NOT NULL AS archived,
      last_known_status AS status, last_known_status_es AS "statusEs", dates
    FROM saved_cases JOIN unnest($1::uuid[], $2::text[]) AS wanted (user_id, receipt_number)
      USING (user_id, receipt_number)`,
};

/** In the order of an index. */
const OPEN_DATES = {
  name: 'list-open-dates',
  text: `
    SELECT id, user_id AS "userId", receipt_number AS "receiptNumber", dates, last_open_day::text AS "lastDay"
    FROM saved_cases
    WHERE last_open_day IS NOT NULL AND archived_at IS NULL
      AND (last_open_day, id) > ($1::date, $2::uuid) AND first_open_day <= $3::date
    ORDER BY last_open_day, id LIMIT $4`,
};
interface OpenDatesRow {
  id: string;
  userId: string;
  receiptNumber: string;
  dates: CaseDate[];
  lastDay: string;
}

const OVERVIEWS = {
  name: 'list-case-overviews',
  text: `
    SELECT list.* FROM unnest($1::uuid[]) AS owner CROSS JOIN LATERAL (
      SELECT user_id AS "userId", receipt_number AS "receiptNumber", nickname, form_type AS "formType",
        last_known_status AS status, last_known_status_es AS "statusEs", status_changed_at AS "statusChangedAt", status_date AS "statusDate",
        snoozed_until AS "snoozedUntil"
      FROM saved_cases
      WHERE user_id = owner AND monitoring_frequency <> 'none' AND monitoring_paused_at IS NULL AND archived_at IS NULL
      ORDER BY receipt_number LIMIT $2) AS list`,
};

type OverviewRow = Omit<CaseOverview, 'statusChangedAt' | 'statusDate' | 'snoozedUntil'> & {
  statusChangedAt: Date | null;
  statusDate: string | null;
  snoozedUntil: Date | null;
};
type DetailsRow = Omit<CaseDetails, 'snoozedUntil' | 'openDates'> & {
  snoozedUntil: Date | null;
  dates: CaseDate[];
};

export function createSavedCaseStore(
  pool: Pool,
  { bus, clock }: { bus: EventBus; clock: Clock },
): SavedCaseStore {
  const readList = createListReader(pool);
  return {
    async list(userId, receiptNumbers) {
      if (!receiptNumbers) return readList(userId);
      const { rows } = await pool.query<SavedRow>({ ...LIST_CHOSEN, values: [userId, receiptNumbers] });
      return rows.map(toSavedCase);
    },
    page: (userId, query) => readPage(pool, userId, query),
    async listRemoved(userId, limit) {
      const values = [userId, movedTime(clock), limit];
      const { rows } = await pool.query<RemovedRow>({ ...LIST_REMOVED, values });
      return rows.map(toRemovedCase);
    },
    async purgeRemoved(limit) {
      const { rowCount } = await pool.query(PURGE_REMOVED, [movedTime(clock), limit]);
      return rowCount ?? 0;
    },
    async overviews(userIds) {
      const values = [[...new Set(userIds)], CASES_PER_OVERVIEW];
      const { rows } = await pool.query<OverviewRow>({ ...OVERVIEWS, values });
      return rows.map((row) => ({
        ...row,
        statusChangedAt: row.statusChangedAt?.toISOString() ?? null,
        statusDate: row.statusDate === null ? undefined : dayOf(row.statusDate),
        snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
      }));
    },
    async openDates({ from, until, after }, limit) {
      const values = [after?.lastDay ?? from, after?.id ?? NIL_ID, until, limit];
      const { rows } = await pool.query<OpenDatesRow>({ ...OPEN_DATES, values });
      const last = rows.length === limit ? rows.at(-1) : undefined;
      const dates = rows.flatMap(({ userId, receiptNumber, dates }) =>
        dates
          .filter(({ day, doneAt }) => doneAt === null && day >= from && day <= until)
          .map(({ doneAt: _open, ...date }) => ({ ...date, userId, receiptNumber })),
      );
      return { dates, next: last ? { lastDay: last.lastDay, id: last.id } : null };
    },
    async details(cases) {
      const keys = [cases.map(({ userId }) => userId), cases.map(({ receiptNumber }) => receiptNumber)];
      const { rows } = await pool.query<DetailsRow>({ ...DETAILS, values: keys });
      return rows.map(({ dates, ...row }) => ({
        ...row,
        snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
        openDates: row.archived
          ? []
          : dates.flatMap(({ id, day, doneAt }) => (doneAt === null ? { id, day } : [])),
      }));
    },
    forUser: (userId, work) =>
      inTransaction(pool, async (tx) => {
        await lockUser(tx, userId);
        let hasChanged = false;
        const result = await work(
          ownSavedCases(tx, userId, {
            moment: movedTime(clock),
            onChange: () => {
              hasChanged = true;
            },
            publish: (receiptNumbers) => publishWatches(tx, bus, userId, receiptNumbers),
          }),
        );
        if (hasChanged) await bus.publish(tx, savedCasesChanged, { userId });
        return result;
      }),
  };
}
