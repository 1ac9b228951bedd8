import { foldStatus } from '@casewatch/contracts/fold-status';
import type { AgencyCase } from './agency.ts';
import { parseAgencyDate } from './agency.ts';
import type { Observation } from './case-history.ts';

/** An observation as it is stored. */
export interface StoredObservation extends Observation {
  /** Its number within the case. */
  entry: number;
}

/** What one answer says about the statuses of a case. */
export interface AnsweredStatuses
  extends Pick<AgencyCase, 'status' | 'statusEs' | 'history' | 'isWholeHistory'> {
  /** When the agency was asked. */
  observedAtMs: number;
  /** Since when the case has its status. */
  statusAtMs: number;
  statusDate: string | null;
}

/**
 * Returns what an answer adds to the stored observations of a case or changes in them; nothing where it says what is stored.
 * 1. The current status continues the observation of the same beginning, or begins one.
 * 2. The agency's entries are paired with the stored ones, as often as each is listed (`pairEntries`).
 * 3. A stored entry that is not listed stays, and is marked as withdrawn where the whole list could be read.
 */
export function recordAnswer(
  stored: readonly StoredObservation[],
  answer: AnsweredStatuses,
): StoredObservation[] {
  const before = new Map(stored.map((one) => [one.entry, one]));
  let last = Math.max(0, ...before.keys());
  const { pairs, unlisted } = pairEntries(stored, answer.history);
  const seenAt = { firstObservedAtMs: answer.observedAtMs, lastObservedAtMs: answer.observedAtMs };
  const now: StoredObservation[] = [
    continued(stored, answer) ?? {
      entry: ++last,
      source: 'observed',
      status: answer.status,
      statusEs: answer.statusEs,
      statusAtMs: answer.statusAtMs,
      statusDate: answer.statusDate,
      ...seenAt,
      withdrawnAtMs: null,
    },
    ...placeInDays(pairs, answer.observedAtMs).map(({ sent, row, ...place }) => ({
      ...(row ?? { entry: ++last, source: 'agency-history' as const, ...seenAt }),
      status: sent.status,
      statusEs: sent.statusEs ?? row?.statusEs ?? null,
      ...place,
      withdrawnAtMs: null,
    })),
  ];
  if (answer.isWholeHistory) {
    now.push(...unlisted.map((row) => ({ ...row, withdrawnAtMs: row.withdrawnAtMs ?? answer.observedAtMs })));
  }
  return now.filter((one) => isChanged(one, before.get(one.entry)));
}

/** Our own observation of a stay that continues. */
function continued(
  stored: readonly StoredObservation[],
  { status, statusEs, statusAtMs, observedAtMs }: AnsweredStatuses,
): StoredObservation | undefined {
  const title = foldStatus(status);
  const row = stored.find(
    (one) => one.source === 'observed' && one.statusAtMs === statusAtMs && foldStatus(one.status) === title,
  );
  return (
    row && {
      ...row,
      status,
      statusEs: statusEs ?? row.statusEs ?? null,
      lastObservedAtMs: Math.max(row.lastObservedAtMs, observedAtMs),
    }
  );
}

type SentEntry = AgencyCase['history'][number];
interface Pair {
  sent: SentEntry;
  /** Undefined for an entry that is new. */
  row: StoredObservation | undefined;
}

/**
 * Pairs what the agency lists with what is stored of the same folded title, each with one at most, from the newest, and those that
 * are not withdrawn first:
 * 1. of the same moment, then of the same day: so one that comes back finds itself, and no title has more rows of a day than the
 *    agency ever listed of it;
 * 2. one that was listed until now, the nearest: its date was corrected; of two of a title that which keeps the order (`keepOrder`,
 *    `uncross`);
 * 3. those that have no date to read, in the list or in the store, with what is left (`orderUndated`).
 */
function pairEntries(stored: readonly StoredObservation[], history: readonly SentEntry[]) {
  const [listed, observed] = [ofSource(stored, 'agency-history'), ofSource(stored, 'observed')];
  const free = Map.groupBy(listed.toSorted(newestListedFirst), ({ status }) => foldStatus(status));
  const pairs = history.map((sent): Pair => ({ sent, row: undefined }));
  const pairBy = (isMatch: (sent: SentEntry, row: StoredObservation) => boolean) => {
    for (const pair of pairs) {
      const rows = pair.row ? undefined : free.get(foldStatus(pair.sent.status));
      const at = rows?.findIndex((row) => isMatch(pair.sent, row)) ?? -1;
      if (at !== -1) [pair.row] = rows?.splice(at, 1) ?? [];
    }
  };
  const pairByDate = () => {
    pairBy(isOfMoment);
    pairBy(({ date }, { statusDate }) => isDated(date) && dayOf(date) === dayOf(statusDate));
  };
  pairByDate();
  pairCorrected(pairs, free);
  keepOrder(pairs, observed);
  // One whose row has moved may find another of its date.
  pairByDate();
  uncross(pairs);
  pairBy((_, row) => !isWithdrawn(row));
  pairBy(({ date }, { statusDate }) => isDated(date) && !isDated(statusDate));
  pairBy(({ date }, { statusDate }) => !isDated(date) && !isDated(statusDate));
  pairBy(({ date }) => !isDated(date));
  orderUndated(pairs);
  return { pairs, unlisted: [...free.values()].flat() };
}

/**
 * No row moves past an entry of another title that came after it, while one of its own title and an earlier day is new: that one
 * is the row, with its date corrected, and the entry of the row's day is the new one. One that moves may let others move.
 */
function keepOrder(newestFirst: readonly Pair[], observed: readonly StoredObservation[]): void {
  let isMoved = false;
  for (const [at, pair] of newestFirst.entries()) {
    const { row } = pair;
    if (!row) continue;
    const title = foldStatus(row.status);
    const day = dayOf(pair.sent.date) ?? Number.NEGATIVE_INFINITY;
    const olderAt = newestFirst.findIndex(
      ({ sent, row: its }, nth) =>
        nth > at && !its && foldStatus(sent.status) === title && (dayOf(sent.date) ?? day) < day,
    );
    const older = newestFirst[olderAt];
    if (older && newestFirst.slice(at + 1, olderAt).some((one) => cameAfter(one, row, observed))) {
      older.row = row;
      pair.row = undefined;
      isMoved = true;
    }
  }
  if (isMoved) keepOrder(newestFirst, observed);
}

/**
 * By the order in which the two were listed; where the other was not listed yet, by when we saw it: a current status came after
 * all that an answer lists in addition.
 */
function cameAfter(
  { sent, row }: Pair,
  before: StoredObservation,
  observed: readonly StoredObservation[],
): boolean {
  const title = foldStatus(sent.status);
  if (title === foldStatus(before.status)) return false;
  if (row) return row.statusAtMs > before.statusAtMs;
  return observed.some(
    (own) => foldStatus(own.status) === title && own.lastObservedAtMs >= before.firstObservedAtMs,
  );
}

/** Of two entries of one title the one of the later day has the later row, unless that takes a row of its very moment from one. */
function uncross(pairs: readonly Pair[]): void {
  const dated = pairs.flatMap((pair) => {
    const day = dayOf(pair.sent.date);
    return pair.row && day !== undefined ? [{ pair, sent: pair.sent, day, row: pair.row }] : [];
  });
  for (const ofTitle of Map.groupBy(dated, ({ sent }) => foldStatus(sent.status)).values()) {
    ofTitle.sort((a, b) => b.day - a.day);
    for (const [nth, newer] of ofTitle.entries()) {
      for (const older of ofTitle.slice(nth + 1)) {
        const isCrossed = newer.day > older.day && newer.row.statusAtMs < older.row.statusAtMs;
        if (!isCrossed || isOfMoment(newer.sent, newer.row)) continue;
        if (isOfMoment(older.sent, older.row) && !isOfMoment(older.sent, newer.row)) continue;
        [newer.row, older.row] = [older.row, newer.row];
      }
      newer.pair.row = newer.row;
    }
  }
}

function pairCorrected(pairs: readonly Pair[], free: ReadonlyMap<string, StoredObservation[]>): void {
  const candidates = pairs.flatMap((pair) => {
    const sentMs = pair.row ? undefined : readDate(pair.sent.date);
    if (sentMs === undefined) return [];
    const rows = free.get(foldStatus(pair.sent.status)) ?? [];
    return rows
      .filter((row) => !isWithdrawn(row))
      .map((row) => ({ pair, row, rows, apartMs: Math.abs(sentMs - (readDate(row.statusDate) ?? 0)) }));
  });
  for (const { pair, row, rows } of candidates.sort((a, b) => a.apartMs - b.apartMs)) {
    const at = pair.row ? -1 : rows.indexOf(row);
    if (at !== -1) [pair.row] = rows.splice(at, 1);
  }
}

/** Of the entries of one title without a date the newest have the newest rows, as they will by the same answer again. */
function orderUndated(newestFirst: readonly Pair[]): void {
  const undated = newestFirst.filter(({ sent }) => !isDated(sent.date));
  for (const ofTitle of Map.groupBy(undated, ({ sent }) => foldStatus(sent.status)).values()) {
    const rows = ofTitle.flatMap(({ row }) => row ?? []).sort(newest);
    for (const [nth, pair] of ofTitle.entries()) pair.row = rows[nth];
  }
}

function isOfMoment({ date }: SentEntry, { statusDate }: StoredObservation): boolean {
  return isDated(date) && readDate(date) === readDate(statusDate);
}

function newestListedFirst(a: StoredObservation, b: StoredObservation): number {
  return Number(isWithdrawn(a)) - Number(isWithdrawn(b)) || newest(a, b);
}

function newest(a: StoredObservation, b: StoredObservation): number {
  return b.statusAtMs - a.statusAtMs || b.entry - a.entry;
}

/**
 * The agency lists days, mostly without times: within a day milliseconds keep its order, and an entry that is in order stays where
 * it is. Entries without a date to read go to the beginning of time; one that had a date keeps it, and its place. Of the entries of one
 * title and day the oldest is the one that was seen first, whichever rows they are in.
 */
function placeInDays(newestFirst: readonly Pair[], observedAtMs: number) {
  const lastOf = new Map<number | undefined, number>();
  const placed = newestFirst.toReversed().map(({ sent, row }) => {
    const { date } = sent;
    const firstObservedAtMs = row?.firstObservedAtMs ?? observedAtMs;
    if (row && !isDated(date) && isDated(row.statusDate)) {
      return { sent, row, statusDate: row.statusDate, statusAtMs: row.statusAtMs, firstObservedAtMs };
    }
    const isInPlace = row && readDate(row.statusDate) === readDate(date);
    const beginMs = isInPlace ? row.statusAtMs : (readDate(date) ?? 0);
    const statusAtMs = Math.max(beginMs, (lastOf.get(dayOf(date)) ?? -1) + 1);
    lastOf.set(dayOf(date), statusAtMs);
    return { sent, row, statusDate: date ?? row?.statusDate ?? null, statusAtMs, firstObservedAtMs };
  });
  const keyOf = (one: (typeof placed)[number]) => `${foldStatus(one.sent.status)} ${dayOf(one.statusDate)}`;
  const timesOf = new Map(
    [...Map.groupBy(placed, keyOf)].map(([key, ofDay]) => [
      key,
      ofDay.map((one) => one.firstObservedAtMs).sort((a, b) => a - b),
    ]),
  );
  return placed.map((one) => ({
    ...one,
    firstObservedAtMs: timesOf.get(keyOf(one))?.shift() ?? one.firstObservedAtMs,
  }));
}

function isChanged(now: StoredObservation, before: StoredObservation | undefined): boolean {
  return !before || Object.entries(now).some(([key, value]) => before[key as keyof Observation] !== value);
}

const ofSource = (stored: readonly StoredObservation[], wanted: Observation['source']) =>
  stored.filter(({ source }) => source === wanted);
const isWithdrawn = ({ withdrawnAtMs }: StoredObservation) => withdrawnAtMs !== null;
const readDate = (date: string | null) => (date === null ? undefined : parseAgencyDate(date));
const isDated = (date: string | null) => readDate(date) !== undefined;
const DAY_MS = 86_400_000;

function dayOf(date: string | null): number | undefined {
  const ms = readDate(date);
  return ms === undefined ? undefined : Math.floor(ms / DAY_MS);
}
