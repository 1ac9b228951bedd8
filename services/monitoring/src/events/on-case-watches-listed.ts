import { caseWatchesListed } from '@casewatch/contracts/events';
import { MONITORING_FREQUENCIES } from '@casewatch/contracts/limits';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { isDeleted, lockUser } from '../data/user-rows.ts';
import { lockReceipts } from '../data/watch-rows.ts';
import { watchersInRange } from '../data/watcher-rows.ts';
import { listedRequest } from '../domain/watch-rules.ts';
import { applyRequest, toRequest } from './apply-request.ts';
import type { HandlerDependencies } from './publish-status-changes.ts';

/**
 * Applies all that a user watches, or a page of it: a request that was lost or overtaken is made up for, and what the list lacks ends, unless a
 * later request is known. Mostly nothing differs, and nothing is written.
 */
export function onCaseWatchesListed(deps: HandlerDependencies): EventHandler {
  return defineHandler('monitoring', caseWatchesListed, async (page, _meta, tx) => {
    const { userId } = page;
    await lockUser(tx, userId);
    if (await isDeleted(tx, userId)) return;
    const known = await watchersInRange(tx, userId, page);
    const listed = new Map(page.watches.map((watch) => [watch.receiptNumber, toRequest(toRequested(watch))]));
    const differing = [...new Set([...listed.keys(), ...known.keys()])].flatMap((receiptNumber) => {
      const version = BigInt(page.version);
      const request = listedRequest(known.get(receiptNumber), listed.get(receiptNumber), version);
      return request ? { userId, receiptNumber, request, shownAgeMs: undefined } : [];
    });
    if (differing.length === 0) return;
    await lockReceipts(
      tx,
      differing.map(({ receiptNumber }) => receiptNumber),
    );
    for (const request of differing) await applyRequest(tx, deps, request);
  });
}

/** @throws when the frequency is none that is known: the event is then a dead letter, as any that does not fit */
function toRequested<W extends { readonly frequency: string }>(watch: W) {
  const frequency = MONITORING_FREQUENCIES.find((known) => known === watch.frequency);
  if (!frequency) throw new Error(`no watch is ${watch.frequency}`);
  return { ...watch, frequency };
}
