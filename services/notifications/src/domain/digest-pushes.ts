import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DeliveryLog } from './delivery-log.ts';
import { casesOfDigests, type DigestCases } from './digest-cases.ts';
import {
  CHANGES_PER_DIGEST,
  type ChangedCase,
  type DigestChange,
  type DigestChanges,
  type DueDigest,
  digestContent,
  nothingChanged,
} from './digests.ts';
import { holdChanges } from './hold-changes.ts';
import { afterQuietHours } from './quiet-hours.ts';
import type { DeliveryKind, Prepared } from './send-due-deliveries.ts';
import type { Push } from './send-push.ts';
import type { PushedDevice } from './status-pushes.ts';
import { kindOf } from './user-settings.ts';

/** A due digest to a device. */
export interface DuePushDigest extends DueDigest {
  readonly device: PushedDevice;
}

export interface PushDigestLog extends DeliveryLog<DuePushDigest>, DigestChanges {}

/** A case that changed, with the newest of its notifications. */
export type PushedChange = ChangedCase & { readonly notificationId: string | undefined };

/** Writes the message of a digest; there is at least one change. `hasMore`: there may be others. */
export type PushDigestComposer = (
  due: DuePushDigest,
  changed: readonly PushedChange[],
  hasMore: boolean,
) => Push;

interface DigestPushParts {
  log: PushDigestLog;
  services: ServiceClient;
  compose: PushDigestComposer;
  publicKey: string;
  isAllowed: (endpoint: string) => boolean;
  clock: Clock;
  logger: Logger;
}

/**
 * Returns one message for what changed in a day or a week, after the end of quiet hours. Snoozed cases are left out, as in a digest by
 * e-mail, and a digest without changes is not sent.
 */
export function digestPushes(parts: DigestPushParts): DeliveryKind<DuePushDigest, Push> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(
  parts: DigestPushParts,
  due: readonly DuePushDigest[],
): Promise<Prepared<DuePushDigest, Push>> {
  const nowMs = parts.clock.nowMs();
  const timed = due.map((one) => {
    const { quietHours, timeZone } = one.settings;
    return { due: one, reason: whyNot(parts, one), untilMs: afterQuietHours(nowMs, quietHours, timeZone) };
  });
  const refused = timed.flatMap(({ due: one, reason }) =>
    reason === undefined ? [] : [{ due: one, reason }],
  );
  const allowed = timed.filter(({ reason }) => reason === undefined);
  const postponed = allowed.filter(({ untilMs }) => untilMs > nowMs);
  const awake = allowed.filter(({ untilMs }) => untilMs <= nowMs).map((one) => one.due);
  const changes = Map.groupBy(await parts.log.changesOf(awake), ({ digestId }) => digestId);
  const changesOf = (one: DuePushDigest) => changes.get(one.id) ?? [];
  const filled = awake.filter((one) => changesOf(one).length > 0);
  const empty = awake.filter((one) => !filled.includes(one));
  const settled = [...refused, ...empty.map(nothingChanged)];
  if (filled.length === 0) return { ready: [], dropped: settled, postponed };
  const cases = await casesOfDigests(
    parts,
    filled.map(({ userId }) => userId),
    filled.flatMap((one) =>
      changesOf(one).map(({ receiptNumber }) => ({ userId: one.userId, receiptNumber })),
    ),
  );
  if (!cases) return { ready: [], dropped: settled, postponed, unavailable: 'cases' };
  const reported = await holdChanges(
    parts.log,
    filled.map((one) => ({ digest: one, changes: changesOf(one), cases: cases(one.userId) })),
    nowMs,
  );
  const contents = reported.map(({ digest, changes: own, cases: known }) => {
    const wanted = own.filter((change) => isWanted(digest, change));
    const { timeZone } = digest.settings;
    return { due: digest, changed: contentOf(wanted, known, { nowMs, timeZone }) };
  });
  // Which cases are snoozed is known to cases alone.
  const silent = contents.filter(({ changed }) => changed.length === 0).map((one) => nothingChanged(one.due));
  const ready = contents
    .filter(({ changed }) => changed.length > 0)
    .map(({ due: one, changed }) => {
      const hasMore = (changes.get(one.id)?.length ?? 0) >= CHANGES_PER_DIGEST;
      return { due: one, message: parts.compose(one, changed, hasMore) };
    });
  return { ready, dropped: [...settled, ...silent], postponed };
}

function whyNot({ publicKey, isAllowed }: DigestPushParts, { device }: DuePushDigest): string | undefined {
  // The device subscribes with the new one when the product is opened there.
  if (device.publicKey !== publicKey) return 'other-key';
  return isAllowed(device.endpoint) ? undefined : 'host-not-allowed';
}

/** What was collected stays in the digest, unless the user wants no such messages any more. */
function isWanted({ settings }: DuePushDigest, { newStatus }: DigestChange): boolean {
  return settings.push[kindOf({ kind: 'status', newStatus })] !== 'never';
}

function contentOf(
  changes: readonly DigestChange[],
  cases: DigestCases,
  at: Parameters<typeof digestContent>[2],
): PushedChange[] {
  const newest = new Map(changes.map((one) => [one.receiptNumber, one.notificationId]));
  return digestContent(changes, cases, at).changed.map((one) => ({
    ...one,
    notificationId: newest.get(one.receiptNumber),
  }));
}
