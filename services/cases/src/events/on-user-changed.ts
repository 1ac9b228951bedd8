import { caseWatchChanged, userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import { endMonitoring } from '../data/end-monitoring.ts';

/**
 * The subscription ended: automated monitoring is for pro users. The saved cases stay, and so does what the user, pro
 * again, chose after that.
 */
export function onUserChanged(bus: EventBus): EventHandler {
  return defineHandler('cases', userChanged, async ({ userId, tier }, { timeMs }, tx) => {
    if (tier === 'pro') return;
    const ended = await endMonitoring(tx, userId, timeMs);
    const changes = ended.map((receiptNumber) => ({ receiptNumber, userId, frequency: 'none' as const }));
    if (changes.length > 0) await bus.publishAll(tx, caseWatchChanged, changes);
  });
}
