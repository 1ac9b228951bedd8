import type { Job } from '@casewatch/service-definition/define-service';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type { DueDelivery } from '../domain/delivery-log.ts';
import { type Mailing, sendDueMails } from '../domain/send-due-mails.ts';

/** E-mails of one claim: one request to identity, and little to repeat after a crash. */
const BATCH = 50;
const FIRST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 60_000;
/** How long a stopping job waits for what it is sending. */
const STOP_GRACE_MS = 4_000;

export interface SendMailsJob extends Job {
  /** Starts the next pass now instead of at the next poll. */
  notify(): void;
}

/**
 * Sends due e-mails, at once when notified, else at every poll; while the server is unavailable it backs off. Any number of processes may run it: each e-mail is claimed by one.
 */
export function createSendMailsJob<Due extends DueDelivery>(
  name: string,
  mailing: Mailing<Due>,
  pollMs: number,
): SendMailsJob {
  const { clock, logger, mailer, random } = mailing;
  const stopping = new AbortController();
  const abandon = new AbortController();
  const ending = { stopping: stopping.signal, abandon: abandon.signal };
  const signal = createSignal();
  let running: Promise<void> = Promise.resolve();
  let failures = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = await pass();
      if (next === 'hold') await clock.sleep(holdMs(), stopping.signal).catch(() => undefined);
      else if (next === 'wait') await untilNotifiedOrDue();
    }
  }

  async function pass(): Promise<'more' | 'wait' | 'hold'> {
    try {
      const { claimed, unavailable } = await sendDueMails(mailing, BATCH, ending);
      if (unavailable === undefined) {
        if (claimed > 0) failures = 0;
        return claimed === BATCH ? 'more' : 'wait';
      }
      logger.warn({ unavailable }, 'send mails: server unavailable, will retry');
    } catch (error) {
      logger.warn({ err: error }, 'send mails: database failed, will retry');
    }
    failures++;
    return 'hold';
  }

  function holdMs(): number {
    return (
      Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** Math.min(failures - 1, 10)) * (0.75 + 0.5 * random())
    );
  }

  async function untilNotifiedOrDue(): Promise<void> {
    const pause = new AbortController();
    const either = AbortSignal.any([stopping.signal, pause.signal]);
    await signal.wait(clock.sleep(pollMs, either).catch(() => undefined));
    pause.abort();
  }

  return {
    name,
    notify: signal.notify,
    start() {
      running = run();
    },
    /** Begins no other e-mail, and finishes or releases its claims. */
    async stop() {
      stopping.abort(new Error('stopping'));
      signal.notify();
      const finished = new AbortController();
      const grace = clock.sleep(STOP_GRACE_MS, finished.signal).then(
        () => abandon.abort(new Error('the job stops')),
        () => undefined,
      );
      await running;
      finished.abort(new Error('finished'));
      await grace;
      await mailer.close();
    },
  };
}
