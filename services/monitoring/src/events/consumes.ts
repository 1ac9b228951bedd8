import { caseObserved, caseWatchChanged, caseWatchesListed, userDeleted } from '@casewatch/contracts/events';
import { defineBatchHandler, defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { periodDaysOf } from '../domain/check-times.ts';
import { recordAnswers } from '../domain/record-answers.ts';
import { applyWatchList, requestWatch } from '../domain/request-watches.ts';
import type { Answer, WatchRequest } from '../domain/watch-rules.ts';
import type { Watching } from '../domain/watching.ts';

/** Every event that this service handles, each in the transaction that marks it as handled. */
export const consumes = (watching: Watching): EventHandler[] => [
  // Applies how often a receipt number is watched from now on. The request with the highest version counts, in whatever order they
  // arrive; those of deleted users don't. When a plan ends or returns, cases publishes what is to run.
  defineHandler('monitoring', caseWatchChanged, (payload, _meta, tx) => {
    const { userId, receiptNumber, shown } = payload;
    const shownAgeMs = shown?.ageSeconds === undefined ? undefined : shown.ageSeconds * 1_000;
    return requestWatch(watching, tx, { userId, receiptNumber, request: toRequest(payload), shownAgeMs });
  }),
  // Records what the agency answered, in batches.
  defineBatchHandler('monitoring', caseObserved, (events, tx) => {
    const answers = events.map(({ payload }) => ({ ...payload, call: BigInt(payload.callNumber) }));
    return recordAnswers(watching, tx, answers);
  }),
  // Applies all that a user watches, or a page of it: a request that was lost or overtaken is made up for, and what the list lacks ends,
  // unless a later request is known. Mostly nothing differs, and nothing is written.
  defineHandler('monitoring', caseWatchesListed, async ({ watches, version, ...page }, _meta, tx) => {
    const requests = new Map(watches.map((watch) => [watch.receiptNumber, toRequest(watch)]));
    await applyWatchList(watching, tx, { ...page, version: BigInt(version), requests });
  }),
  // Erases the user; cases without other watchers are no longer checked.
  defineHandler('monitoring', userDeleted, ({ userId }, { timeMs }, tx) =>
    watching.watches.eraseUser(tx, userId, timeMs),
  ),
];

/** The answer that a list shows, as the events of cases carry it. */
type Shown = { readonly callNumber: string; readonly status?: string | undefined };

interface Requested {
  readonly version: string;
  readonly frequency: string;
  readonly beginning?: { readonly version: string; readonly shown?: Shown | undefined } | undefined;
  readonly shown?: Shown | undefined;
}

/** @throws when the frequency is none that is known: the event is then a dead letter, as any that does not fit */
function toRequest({ version, frequency, beginning, shown }: Requested): WatchRequest {
  return {
    version: BigInt(version),
    periodDays: periodDaysOf(frequency),
    beginning: beginning && { version: BigInt(beginning.version), shown: toAnswer(beginning.shown) },
    shown: shown && toAnswer(shown),
  };
}

function toAnswer(shown: Shown | undefined): Answer {
  return { status: shown?.status, call: BigInt(shown?.callNumber ?? 0) };
}
