import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { foldStatus } from '@casewatch/contracts/fold-status';

/** One stored status of a case. */
export interface Observation {
  status: string;
  /** The agency's own Spanish, where it gave one and it was read. */
  statusEs?: string | null;
  statusAtMs: number;
  statusDate: string | null;
  source: 'agency-history' | 'observed';
  firstObservedAtMs: number;
  /** By an answer that differed from the one before: the same answer again adds nothing to the history. */
  lastObservedAtMs: number;
  /** Since when the agency no longer lists the entry; null for one that it lists, and for our own. */
  withdrawnAtMs: number | null;
}

type HistoryEntry = CaseStatusResult['histCaseData'][number];

/** A stay in a status, as the timeline shows it. */
interface Stay {
  shown: Observation;
  title: string;
  statusEs: string | null;
  /** When it was first known, from either source. */
  knownAtMs: number;
  /** When a check of ours first met it; null where only the agency's history lists it. */
  observedAtMs: number | null;
}

/**
 * Returns the agency's history and our own observations as one list, newest first. An entry of the agency and an observation of
 * the same stay are one: the agency's, with the time of our first observation.
 */
export function mergeHistory(observations: readonly Observation[]): HistoryEntry[] {
  const ordered = observations.toSorted(oldestFirst);
  const stays = ordered.filter(({ source }) => source === 'agency-history').map(toStay);
  for (const own of ordered) if (own.source === 'observed') addOwn(stays, own);
  return stays.toReversed().map(({ shown, statusEs, observedAtMs }) => ({
    caseStatus: shown.status,
    statusHistDate: shown.statusDate,
    source: shown.source === 'observed' ? 'observed' : 'agency',
    firstObservedAt: observedAtMs === null ? null : iso(observedAtMs),
    textEs: statusEs ?? undefined,
    ...(shown.withdrawnAtMs === null ? {} : { withdrawnAt: iso(shown.withdrawnAtMs) }),
  }));
}

const iso = (ms: number) => new Date(ms).toISOString();

function oldestFirst(a: Observation, b: Observation): number {
  return a.statusAtMs - b.statusAtMs || a.lastObservedAtMs - b.lastObservedAtMs;
}

function toStay(shown: Observation): Stay {
  return {
    shown,
    title: foldStatus(shown.status),
    statusEs: shown.statusEs ?? null,
    knownAtMs: shown.firstObservedAtMs,
    observedAtMs: shown.source === 'observed' ? shown.firstObservedAtMs : null,
  };
}

/** Adds an observation of our own to the stay that it is of, else at its place. Older ones have been added. */
function addOwn(stays: Stay[], own: Observation): void {
  const added = toStay(own);
  const place = stays.findLastIndex(({ shown }) => shown.statusAtMs <= own.statusAtMs) + 1;
  const stay =
    entryOf(stays, place, own, added.title) ??
    [stays[place - 1], stays[place]].find((one) => one?.title === added.title);
  if (!stay) {
    stays.splice(place, 0, added);
    return;
  }
  stay.statusEs = own.statusEs ?? stay.statusEs;
  stay.knownAtMs = Math.min(stay.knownAtMs, added.knownAtMs);
  stay.observedAtMs = Math.min(stay.observedAtMs ?? own.firstObservedAtMs, own.firstObservedAtMs);
}

/**
 * Returns the agency's entry of an observed stay, of those that no observation is of yet. The agency's history has days only, and may
 * date a status before or after our observations of others. So another status lies between the two only if it was known while the
 * stay was observed, and is not one that we saw before it. What became known later came later: of entries on either side of it the
 * older one is of the stay; of those side by side the nearest.
 */
function entryOf(stays: readonly Stay[], place: number, own: Observation, title: string): Stay | undefined {
  const isBetween = (one: Stay, at: number) =>
    one.title !== title &&
    one.knownAtMs <= own.lastObservedAtMs &&
    !(at >= place && one.observedAtMs !== null);
  const isNear = (at: number) =>
    !stays.some(
      (one, nth) => nth >= Math.min(at + 1, place) && nth < Math.max(at, place) && isBetween(one, nth),
    );
  const found = stays.flatMap((stay, at) =>
    stay.title === title && stay.observedAtMs === null && isNear(at) ? [{ stay, at }] : [],
  );
  const oldest = found[0]?.at ?? 0;
  return found
    .filter(({ at }) => stays.slice(oldest, at).every((one) => one.title === title))
    .map(({ stay }) => stay)
    .toSorted((a, b) => distance(a, own) - distance(b, own))[0];
}

function distance({ shown }: Stay, own: Observation): number {
  return Math.abs(shown.statusAtMs - own.statusAtMs);
}
