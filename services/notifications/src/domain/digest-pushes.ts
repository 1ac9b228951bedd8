import { checkDevices, type PushedDevice, type PushParts } from './check-devices.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { ChangedCase, DigestChange, DigestChanges, DueDigest } from './digests.ts';
import { judgeDigests } from './judge-digests.ts';
import { afterQuietHours } from './quiet-hours.ts';
import type { DeliveryKind } from './send-due-deliveries.ts';
import type { Push } from './send-push.ts';
import { kindOf } from './user-settings.ts';

/** A due digest to a device. */
export interface DuePushDigest extends DueDigest {
  readonly device: PushedDevice;
}

export interface PushDigestLog extends DeliveryLog<DuePushDigest>, DigestChanges {}

/** Writes the message of a digest; there is at least one change. `hasMore`: there may be others. */
export type PushDigestComposer = (
  due: DuePushDigest,
  changed: readonly ChangedCase[],
  hasMore: boolean,
) => Push;

/**
 * Prepares one message for what changed in a day or a week, after the end of quiet hours. Snoozed cases are left out, as in a digest by
 * e-mail, and a digest without changes is not sent.
 */
export function digestPushes(
  parts: PushParts & { log: PushDigestLog; compose: PushDigestComposer },
): DeliveryKind<DuePushDigest, Push> {
  const rules = {
    // What was collected stays in the digest, unless the user wants no such messages any more.
    isReported: ({ settings }: DuePushDigest, { newStatus }: DigestChange) =>
      settings.push[kindOf({ kind: 'status', newStatus })] !== 'never',
    isOverview: () => false,
    reasonOf: () => 'nothing-changed',
  };
  return {
    log: parts.log,
    prepare: async (due) => {
      const nowMs = parts.clock.nowMs();
      const { sendable, refused } = checkDevices(parts, due);
      const timed = sendable.map((one) => {
        const { quietHours, timeZone } = one.settings;
        return { due: one, untilMs: afterQuietHours(nowMs, quietHours, timeZone) };
      });
      const awake = timed.filter(({ untilMs }) => untilMs <= nowMs).map((one) => one.due);
      const { ready, dropped, ...judged } = await judgeDigests(parts, awake, rules);
      return {
        ...judged,
        ready: ready.map(({ due: one, message: { changed, isFull } }) => ({
          due: one,
          message: parts.compose(one, changed, isFull),
        })),
        dropped: [...refused, ...dropped],
        postponed: timed.filter(({ untilMs }) => untilMs > nowMs),
      };
    },
  };
}
