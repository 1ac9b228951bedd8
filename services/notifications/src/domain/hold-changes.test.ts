import type { CaseOverview } from '@casewatch/contracts/case-overviews';
import { REMOVED_CASES_DAYS, SNOOZE_DAYS_MAX } from '@casewatch/contracts/limits';
import { DEFAULT_NOTIFICATION_SETTINGS as settings } from '@casewatch/contracts/notification-choices';
import { expect, test } from 'vitest';
import type { DigestChange, HeldChange } from './digests.ts';
import { holdChanges } from './hold-changes.ts';

const NOW = Date.UTC(2026, 0, 20, 8);
const HELD_MAX_MS = (SNOOZE_DAYS_MAX + REMOVED_CASES_DAYS) * 24 * 3_600_000;
const digest = { id: 'd', userId: 'u', kind: 'daily', settings } as const;
const ASKS = 'Request for Initial Evidence Was Sent';
const change = (newStatus: string, ageMs = 0): DigestChange => ({
  digestId: 'd',
  notificationId: newStatus,
  receiptNumber: 'A',
  oldStatus: null,
  newStatus,
  newestStatus: newStatus,
  createdAt: new Date(NOW - ageMs),
});
const saved = (snoozedMs: number | null): CaseOverview => ({
  userId: 'u',
  receiptNumber: 'A',
  nickname: null,
  formType: null,
  status: null,
  statusChangedAt: null,
  snoozedUntil: snoozedMs === null ? null : new Date(NOW + snoozedMs).toISOString(),
});

/** Returns the changes that are reported, and those that are put back. */
async function hold(changes: readonly DigestChange[], found: CaseOverview | undefined) {
  const held: HeldChange[] = [];
  const log = {
    changesOf: async () => [],
    putBack: async (all: readonly HeldChange[]) => void held.push(...all),
  };
  const cases = { checked: found ? [found] : [], others: [] };
  const [one] = await holdChanges(log, [{ digest, changes, cases }], NOW);
  expect(held.every((own) => own.digest === digest)).toBe(true);
  return [one?.changes.map((own) => own.newStatus), held.map((own) => own.notificationId)];
}

test.each([
  ['is not snoozed', saved(null)],
  ['was snoozed up to this moment', saved(0)],
])('a change of a case that %s is reported', async (_, found) => {
  expect(await hold([change('new')], found)).toEqual([['new'], []]);
});

test.each([
  ['snoozed', saved(1)],
  ['removed', undefined],
])('a change of a case that is %s is put back, and one that needs action is reported', async (_, found) => {
  expect(await hold([change('one'), change(ASKS), change('two')], found)).toEqual([[ASKS], ['one', 'two']]);
});

test.each([
  'Case Was Denied',
  'Case Was Rejected Because It Was Improperly Filed',
  'Notice of Intent to Deny Was Sent',
  'Notice Explaining USCIS’ Actions Was Mailed',
  'Petition Was Denied For Abandonment',
])('"%s" is reported although its case is snoozed', async (title) => {
  expect(await hold([change('one'), change(title)], saved(1))).toEqual([[title], ['one']]);
});

test('a change of a removed case is put back as long as the case can be restored, after the longest snooze too', async () => {
  expect(await hold([change('new', HELD_MAX_MS)], undefined)).toEqual([[], ['new']]);
  expect(await hold([change('new', HELD_MAX_MS + 1)], undefined)).toEqual([[], []]);
});

test('a snooze of a case that is only among the other ones counts too', async () => {
  const held: HeldChange[] = [];
  const log = {
    changesOf: async () => [],
    putBack: async (all: readonly HeldChange[]) => void held.push(...all),
  };
  const other = { ...saved(1), archived: true };
  await holdChanges(
    log,
    [{ digest, changes: [change('new')], cases: { checked: [], others: [other] } }],
    NOW,
  );
  expect(held).toHaveLength(1);
});
