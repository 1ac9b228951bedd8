import type { DatabaseClock } from '@casewatch/service-kit/database/database-clock';
import {
  createPollingJob,
  type NextPass,
  type PollingJob,
  type Stop,
} from '@casewatch/service-kit/runtime/polling-job';
import type { DueDelivery } from '../domain/delivery-log.ts';
import { type Sending, sendDueDeliveries } from '../domain/send-due-deliveries.ts';

/** Messages of one claim: one request to identity, and little to repeat after a crash. */
const BATCH = 50;
const FIRST_HOLD_MS = 1_000;
const MAX_HOLD_MS = 60_000;
/** How long a stopping job waits for what it is sending. */
const STOP_GRACE_MS = 4_000;

/**
 * Sends due messages, at once when notified, else at every poll; while the server is unavailable it backs off. Any
 * number of processes may run it: each message is claimed by one.
 */
export function createSendDeliveriesJob<Due extends DueDelivery, Message>(
  name: string,
  sending: Sending<Due, Message> & { readonly clock: DatabaseClock },
  pollMs: number,
): PollingJob {
  const { clock, logger, sender, random } = sending;
  let failures = 0;

  async function pass(stop: Stop): Promise<NextPass> {
    try {
      await clock.read();
      const { claimed, unavailable } = await sendDueDeliveries(sending, BATCH, stop);
      if (unavailable === undefined) {
        if (claimed > 0) failures = 0;
        return claimed === BATCH ? 0 : pollMs;
      }
      logger.warn({ unavailable }, `${sending.name}: server unavailable, will retry`);
    } catch (error) {
      logger.warn({ err: error }, `${sending.name}: database failed, will retry`);
    }
    failures++;
    const holdMs = Math.min(MAX_HOLD_MS, FIRST_HOLD_MS * 2 ** (failures - 1));
    return { holdMs: holdMs * (0.75 + 0.5 * random()) };
  }

  const job = createPollingJob({
    name,
    clock,
    logger,
    retryMs: FIRST_HOLD_MS,
    graceMs: STOP_GRACE_MS,
    pass,
  });
  return {
    ...job,
    async stop() {
      await job.stop();
      await sender.close();
    },
  };
}
