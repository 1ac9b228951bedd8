import type { Language } from '@casewatch/contracts/languages';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DeviceSession, DeviceSessions } from './device-sessions.ts';
import type { Outcome, Sender } from './send-due-deliveries.ts';
import { SESSION_CHECK_MAX_MS } from './send-times.ts';

/** Where a message goes, what it is encrypted with, and in whose session the device subscribed. */
export interface PushTarget extends DeviceSession {
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
 * What a push service answered. `gone`: the subscription no longer exists (404, 410). `unauthorized`: it does not believe
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
  /**
   * Removes the device, unless it belongs to another session by now; resolves to whether it did. What it has not got goes to the user's
   * other devices, or waits for the next one.
   */
  forget(target: Pick<PushTarget, 'id' | 'sessionId'>, nowMs: number): Promise<boolean>;
}

export type PushSender = Sender<Push>;

/** A word for log and table. */
export const SESSION_ENDED = 'session-ended';

/**
 * Sends, and keeps for each device when it last worked; a device whose browser has dropped it is removed. Right before each attempt
 * identity is asked whether the device's session was ended: then the device is removed and gets nothing, whatever became of the
 * event that says so. While identity is unavailable messages wait.
 */
export function createPushSender(parts: {
  transport: PushTransport;
  sessions: Pick<DeviceSessions, 'isGranted'>;
  devices: DeviceNotes;
  clock: Clock;
  logger: Logger;
  /** Counts refusals of the product's key. */
  onUnauthorized: () => void;
}): PushSender {
  const { transport, sessions, devices, clock, logger, onUnauthorized } = parts;

  /** Why nothing may be sent to the device now; undefined when it may. */
  async function refusal(target: PushTarget): Promise<PushOutcome | undefined> {
    const untilMs = clock.nowMs() + SESSION_CHECK_MAX_MS;
    try {
      const isGranted = await sessions.isGranted(target);
      // Of a process that stood still the lease may have ended since, and the session as well.
      if (clock.nowMs() > untilMs) return { kind: 'unavailable', reason: 'identity' };
      if (isGranted) return undefined;
    } catch (error) {
      logger.warn({ err: error }, 'send push: session lookup failed, will retry');
      return { kind: 'unavailable', reason: 'identity' };
    }
    if (await devices.forget(target, clock.nowMs()))
      return { kind: 'refused', reason: SESSION_ENDED, means: 'gone' };
    // It has subscribed in another session since the message was claimed, or is removed already, and its messages with it.
    return { kind: 'deferred', reason: SESSION_ENDED };
  }

  async function note(target: PushTarget, outcome: PushOutcome): Promise<void> {
    if (outcome.kind === 'sent') await devices.noteSuccess(target.id, clock.nowMs());
    else if (outcome.means === 'gone') await devices.forget(target, clock.nowMs());
    else await devices.noteFailure(target.id, outcome.reason, clock.nowMs());
  }

  return {
    async send(push, signal) {
      const refused = await refusal(push.target);
      if (refused) return refused;
      const outcome = await transport.send(push, signal);
      if (outcome.kind !== 'sent' && outcome.means === 'unauthorized') {
        onUnauthorized();
        const service = new URL(push.target.endpoint).host;
        logger.error(
          { service, reason: outcome.reason },
          'send push: push service refused our key, check the settings',
        );
      }
      try {
        await note(push.target, outcome);
      } catch (error) {
        logger.warn({ err: error }, 'send push: result not noted for the device');
        // What the device has not got is handed on when it is removed, this message too.
        if (outcome.kind !== 'sent' && outcome.means === 'gone')
          return { kind: 'deferred', reason: outcome.reason };
      }
      return outcome;
    },
    close: () => transport.close(),
  };
}
