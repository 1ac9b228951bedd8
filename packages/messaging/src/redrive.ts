import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { isLimitExceeded, isTransient } from '@casewatch/service-kit/errors/transient-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type pg from 'pg';
import { type DeadLetter, noteFailedRedrive, takeForRedrive } from './dead-letters.ts';
import { type EventHandler, signalCommit } from './event-bus.ts';
import { type EventRecord, metaOf } from './event-record.ts';

export interface RedriveOptions {
  group: string;
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  handlerOf(event: EventRecord): EventHandler;
}

/**
 * Handles the group's dead letters whose redrive is requested, one transaction each: the effect and the removal
 * of the dead letter commit together. An event that fails again, or runs into a limit such as the statement timeout, stays a dead
 * letter until the next request, and the others are handled.
 * @throws when the database or another dependency of a handler is unavailable; the remaining requests stay.
 */
export async function redriveDeadLetters(options: RedriveOptions): Promise<void> {
  while (await redriveNext(options));
}

async function redriveNext({ group, pool, clock, logger, handlerOf }: RedriveOptions): Promise<boolean> {
  let letter: DeadLetter | undefined;
  try {
    letter = await inTransaction(pool, async (tx) => {
      letter = await takeForRedrive(tx, group);
      if (letter) await handlerOf(letter).handle(letter.payload, metaOf(letter), tx);
      return letter;
    });
    if (letter) {
      signalCommit(handlerOf(letter), [{ json: letter.payload, meta: metaOf(letter) }], logger);
      logger.info({ topic: letter.topic, eventId: letter.id }, 'redrive: dead letter handled');
    }
    return letter !== undefined;
  } catch (error) {
    const failed = letter;
    if (!failed || (isTransient(error) && !isLimitExceeded(error))) throw error;
    await inTransaction(pool, (tx) => noteFailedRedrive(tx, failed, error, clock.nowMs()));
    logger.error(
      { err: error, topic: failed.topic, eventId: failed.id },
      'redrive: dead letter failed again, kept until the next request',
    );
    return true;
  }
}
