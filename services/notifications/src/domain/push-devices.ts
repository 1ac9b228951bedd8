import type { Language } from '@casewatch/contracts/languages';
import { PUSH_DEVICES_MAX } from '@casewatch/contracts/limits';
import { PUSH_TEST_PAUSE_SECONDS, type PushDevice } from '@casewatch/contracts/push-devices';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { DeviceSessions } from './device-sessions.ts';
import { type DeviceNotes, type Push, type PushSender, type PushTarget, SESSION_ENDED } from './send-push.ts';

/** What a browser gave when it subscribed. */
export interface Subscription extends Omit<PushTarget, 'id' | 'userId' | 'sessionId' | 'language'> {
  /** The product's key that it subscribed with. */
  readonly publicKey: string;
  readonly name: string;
  /** Undefined: the device keeps its own. */
  readonly language: Language | undefined;
  /** The session that subscribed: when it is ended, so are the messages. */
  readonly sessionId: string;
}

/** A subscription that the user has asked to test. */
export interface TestedDevice extends PushTarget {
  readonly publicKey: string;
}

/** The devices of users. Every method with a user's id sees that user's only. */
export interface PushDevices extends DeviceNotes {
  list(userId: string): Promise<PushDevice[]>;
  /**
   * Adds the device, renews its subscription, or takes it over from the user who had it, whose pending messages to it
   * go to that user's other devices, or wait for the next one. `full`: the user has `max` others; `gone`: the user is deleted.
   */
  save(
    userId: string,
    subscription: Subscription,
    how: { nowMs: number; max: number },
  ): Promise<PushDevice | 'full' | 'gone'>;
  change(userId: string, id: string, showReceiptNumbers: boolean): Promise<PushDevice | undefined>;
  remove(userId: string, id: string, nowMs: number): Promise<boolean>;
  /** Notes that the device is tested now; `early` where that was less than `pauseMs` ago. */
  beginTest(
    userId: string,
    id: string,
    how: { nowMs: number; pauseMs: number },
  ): Promise<TestedDevice | 'early' | undefined>;
}

export interface PushUse {
  readonly devices: PushDevices;
  readonly sessions: DeviceSessions;
  /** Undefined where this installation sends no push messages. */
  readonly pushing: Pushing | undefined;
  readonly clock: Clock;
}

/** What this installation sends push messages with. */
export interface Pushing {
  readonly publicKey: string;
  readonly sender: PushSender;
  /** Whether messages may be sent to this address. */
  isAllowed(endpoint: string): boolean;
  composeTest(device: PushTarget, nowMs: number): Push;
}

/**
 * Adds the device or renews its subscription, in a session that is not over. A session that is ended while the device is saved
 * leaves none: it is asked for before, so that nothing of a live session is replaced, and after, since the event of its end may
 * have been handled in between.
 * @throws AppError NOT_FOUND where there are no push messages, BAD_REQUEST, DEVICE_LIMIT, SIGNED_OUT, UNAVAILABLE
 */
export async function saveDevice(
  { devices, sessions, pushing, clock }: PushUse,
  userId: string,
  subscription: Subscription,
): Promise<PushDevice> {
  const { sessionId } = subscription;
  if (!pushing) throw new AppError('NOT_FOUND', 'no-push');
  if (!pushing.isAllowed(subscription.endpoint)) {
    throw new AppError('BAD_REQUEST', 'push-service-unknown');
  }
  if (subscription.publicKey !== pushing.publicKey) {
    throw new AppError('BAD_REQUEST', 'push-key-old');
  }
  if (!(await sessions.grant({ userId, sessionId }))) throw signedOut();
  const saved = await devices.save(userId, subscription, { nowMs: clock.nowMs(), max: PUSH_DEVICES_MAX });
  if (saved === 'full') throw new AppError('DEVICE_LIMIT');
  if (saved === 'gone') throw new AppError('SIGNED_OUT', 'account-gone');
  if (await sessions.isGranted({ userId, sessionId })) return saved;
  await devices.forget({ id: saved.id, sessionId }, clock.nowMs());
  throw signedOut();
}

const signedOut = () => new AppError('SIGNED_OUT');

/** Sends a message at once, past the delivery log. @throws AppError NOT_FOUND, RATE_LIMITED */
export async function testDevice(
  { devices, pushing, clock }: PushUse,
  userId: string,
  id: string,
  signal: AbortSignal,
): Promise<'sent' | 'gone' | 'failed'> {
  const nowMs = clock.nowMs();
  const found = await devices.beginTest(userId, id, { nowMs, pauseMs: PUSH_TEST_PAUSE_SECONDS * 1_000 });
  if (found === 'early') {
    throw new AppError('RATE_LIMITED', 'push-test-early', {
      retryAfterSeconds: PUSH_TEST_PAUSE_SECONDS,
    });
  }
  if (!found || !pushing) throw noSuchDevice();
  if (found.publicKey !== pushing.publicKey) return 'failed';
  const outcome = await pushing.sender.send(pushing.composeTest(found, nowMs), signal);
  if (outcome.kind === 'sent') return 'sent';
  return outcome.reason.startsWith('gone') || outcome.reason === SESSION_ENDED ? 'gone' : 'failed';
}

export const noSuchDevice = () => new AppError('NOT_FOUND', 'no-such-device');
