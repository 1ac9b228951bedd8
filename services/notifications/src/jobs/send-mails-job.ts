import type { Job } from '@casewatch/service-definition/define-service';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { type Mailing, sendDueMails } from '../domain/send-due-mails.ts';

/** E-mails of one claim: one question to identity, and little to repeat after a crash. */
const BATCH = 50;
const FIRST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 60_000;
/** How long a stopping job waits for what it is sending. */
const STOP_GRACE_MS = 4_000;

export interface SendMailsJob extends Job {
  /** There may be new e-mails. */
  wake(): void;
}

/**
 * Sends whatever is due, at once when woken, else at every poll; while nothing gets through it waits longer and
 * longer. Any number of processes may run it: each e-mail is claimed by one.
 */
export function createSendMailsJob(mailing: Mailing, pollMs: number): SendMailsJob {
  const { clock, logger, mailer, random } = mailing;
  const stopping = new AbortController();
  const abandon = new AbortController();
  const ending = { stopping: stopping.signal, abandon: abandon.signal };
  const wakeUp = createSignal();
  let running: Promise<void> = Promise.resolve();
  let failures = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = await pass();
      if (next === 'hold') await clock.sleep(holdMs(), stopping.signal).catch(() => undefined);
      else if (next === 'wait') await untilWokenOrDue();
    }
  }

  async function pass(): Promise<'more' | 'wait' | 'hold'> {
    try {
      const { claimed, away } = await sendDueMails(mailing, BATCH, ending);
      if (away === undefined) {
        if (claimed > 0) failures = 0;
        return claimed === BATCH ? 'more' : 'wait';
      }
      logger.warn({ away }, 'e-mails do not get through; trying again');
    } catch (error) {
      logger.warn({ err: error }, 'could not claim or settle e-mails; trying again');
    }
    failures++;
    return 'hold';
  }

  function holdMs(): number {
    return (
      Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** Math.min(failures - 1, 10)) * (0.75 + 0.5 * random())
    );
  }

  async function untilWokenOrDue(): Promise<void> {
    const pause = new AbortController();
    const signal = AbortSignal.any([stopping.signal, pause.signal]);
    await wakeUp.wait(clock.sleep(pollMs, signal).catch(() => undefined));
    pause.abort();
  }

  return {
    name: 'send-mails',
    wake: wakeUp.notify,
    start() {
      running = run();
    },
    /** Begins no other e-mail, and finishes or gives back what it holds. */
    async stop() {
      stopping.abort(new Error('stopping'));
      wakeUp.notify();
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
