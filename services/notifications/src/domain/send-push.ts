import type { Language } from '@casewatch/contracts/languages';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Outcome, Sender } from './send-due-deliveries.ts';

/** Where a message goes, and what it is encrypted with. */
export interface PushTarget {
  readonly id: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly language: Language;
}

/** One message to one device, ready to be sent. */
export interface Push {
  readonly target: PushTarget;
  /** A PushMessage as JSON. */
  readonly payload: string;
  /** How long the push service keeps it for a device that is off. */
  readonly ttlSeconds: number;
  readonly urgency: 'normal' | 'high';
  /** A newer message with the same topic replaces one that the device has not got yet (RFC 8030, section 5.4). */
  readonly topic: string;
}

/**
 * What a push service answered. `gone`: it knows the subscription no more (404, 410). `unauthorized`: it does not believe
 * the product's key (401, 403), which an operator has to look at.
 */
export type PushOutcome = Outcome & { readonly means?: 'gone' | 'unauthorized' };

/** Speaks with push services. */
export interface PushTransport {
  send(push: Push, signal: AbortSignal): Promise<PushOutcome>;
  close(): Promise<void>;
}

/** What is known of each device's subscription. */
export interface DeviceNotes {
  noteSuccess(id: string, nowMs: number): Promise<void>;
  noteFailure(id: string, reason: string, nowMs: number): Promise<void>;
  /** Removes the device whose browser has dropped this subscription. */
  forget(id: string): Promise<void>;
}

export type PushSender = Sender<Push>;

/** Sends, and keeps for each device when it last worked; a device whose browser has dropped it is removed. */
export function createPushSender(parts: {
  transport: PushTransport;
  devices: DeviceNotes;
  clock: Clock;
  logger: Logger;
  /** Counts refusals of the product's key. */
  onUnauthorized: () => void;
}): PushSender {
  const { transport, devices, clock, logger, onUnauthorized } = parts;

  async function note({ id }: PushTarget, outcome: PushOutcome): Promise<void> {
    if (outcome.kind === 'sent') await devices.noteSuccess(id, clock.nowMs());
    else if (outcome.means === 'gone') await devices.forget(id);
    else await devices.noteFailure(id, outcome.reason, clock.nowMs());
  }

  return {
    async send(push, signal) {
      const outcome = await transport.send(push, signal);
      if (outcome.kind !== 'sent' && outcome.means === 'unauthorized') {
        onUnauthorized();
        const service = new URL(push.target.endpoint).host;
        logger.error(
          { service, reason: outcome.reason },
          'send push: push service refused our key, check the settings',
        );
      }
      // What became of the message does not depend on the note.
      await note(push.target, outcome).catch((error: unknown) => {
        logger.warn({ err: error }, 'send push: result not noted for the device');
      });
      return outcome;
    },
    close: () => transport.close(),
  };
}
