import { caseWatchChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { isDeleted, lockUser } from '../data/user-rows.ts';
import { lockReceipts } from '../data/watch-rows.ts';
import { applyRequest, toRequest } from './apply-request.ts';
import type { HandlerDependencies } from './publish-status-changes.ts';

/**
 * Applies how often a receipt number is watched from now on. The request with the highest version counts, in whatever order they
 * arrive; those of deleted users don't. When a plan ends or returns, cases publishes what is to run.
 */
export function onCaseWatchChanged(deps: HandlerDependencies): EventHandler {
  return defineHandler('monitoring', caseWatchChanged, async (payload, _meta, tx) => {
    const { userId, receiptNumber, shown } = payload;
    await lockUser(tx, userId);
    if (await isDeleted(tx, userId)) return;
    await lockReceipts(tx, [receiptNumber]);
    const shownAgeMs = shown?.ageSeconds === undefined ? undefined : shown.ageSeconds * 1_000;
    await applyRequest(tx, deps, { userId, receiptNumber, request: toRequest(payload), shownAgeMs });
  });
}
