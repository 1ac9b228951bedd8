import type { DatabaseClock } from '@casewatch/service-kit/database/database-clock';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { PollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { NotificationsSettings } from '../config.ts';
import type { DeliveryLogs } from '../data/delivery-logs.ts';
import type { DueDelivery } from '../domain/delivery-log.ts';
import type { DeviceSessions } from '../domain/device-sessions.ts';
import { digestPushes } from '../domain/digest-pushes.ts';
import type { DigestSchedules } from '../domain/digests.ts';
import type { PushDevices, Pushing } from '../domain/push-devices.ts';
import type { CountResult, DeliveryKind } from '../domain/send-due-deliveries.ts';
import { createPushSender, type Push, type PushSender } from '../domain/send-push.ts';
import { PUSH_SEND_MAX_MS } from '../domain/send-times.ts';
import { statusPushes } from '../domain/status-pushes.ts';
import { createMakeDigestsJob } from '../jobs/make-digests-job.ts';
import { createSendDeliveriesJob } from '../jobs/send-deliveries-job.ts';
import { createPushComposer } from './compose-push.ts';
import { createHostCheck } from './push-hosts.ts';
import { pushKeys } from './push-settings.ts';
import { openWebPushTransport } from './web-push-transport.ts';

/** A message that is older has been read in the list or in an e-mail. */
const GIVE_UP_MS = 72 * 3_600_000;
const AT_ONCE = 8;
/** Over connections of their own, so that they hold up no message that comes at once. */
const DIGESTS_AT_ONCE = 2;

interface Parts {
  logs: Pick<DeliveryLogs, 'statusPushes' | 'digestPushes'>;
  digestSchedules: DigestSchedules;
  devices: PushDevices;
  sessions: DeviceSessions;
  services: ServiceClient;
  clock: DatabaseClock;
  logger: Logger;
  count: CountResult;
  onUnauthorized: () => void;
}

/** Returns what the settings say of push messages, and the jobs that make and send them; undefined while they are off. @throws SettingsError */
export async function openPushing(
  settings: SettingsOf<NotificationsSettings>,
  { logs, digestSchedules, devices, sessions, services, clock, logger, count, onUnauthorized }: Parts,
): Promise<(Pushing & { readonly jobs: readonly PollingJob[] }) | undefined> {
  const keys = pushKeys(settings);
  if (!keys) return undefined;
  const { publicKey, privateKey } = keys;
  const isAllowed = createHostCheck(settings.PUSH_HOSTS);
  const { compose, composeDigest, composeTest } = createPushComposer({
    secret: privateKey,
    keptMs: GIVE_UP_MS,
  });
  const openSender = async (connections: number) => {
    const transport = await openWebPushTransport({ keys, isAllowed, clock, connections });
    return createPushSender({ transport, sessions, devices, clock, logger, onUnauthorized });
  };
  const open = <Due extends DueDelivery>(
    name: string,
    kind: DeliveryKind<Due, Push>,
    sender: PushSender,
    atOnce: number,
  ) => {
    const sending = {
      name: name.replaceAll('-', ' '),
      kind,
      sender,
      clock,
      logger,
      count,
      leaseMs: settings.PUSH_LEASE_SECONDS * 1_000,
      sendMaxMs: PUSH_SEND_MAX_MS,
      giveUpMs: GIVE_UP_MS,
      atOnce,
      random: Math.random,
    };
    return createSendDeliveriesJob(name, sending, settings.PUSH_POLL_MS);
  };
  const common = { services, publicKey, isAllowed, clock, logger };
  const sender = await openSender(AT_ONCE);
  const status = statusPushes({ ...common, log: logs.statusPushes, compose });
  const digest = digestPushes({ ...common, log: logs.digestPushes, compose: composeDigest });
  const sendDigests = open('send-push-digests', digest, await openSender(DIGESTS_AT_ONCE), DIGESTS_AT_ONCE);
  const onMade = () => sendDigests.notify();
  return {
    publicKey,
    sender,
    isAllowed,
    composeTest,
    jobs: [
      open('send-push', status, sender, AT_ONCE),
      createMakeDigestsJob({ name: 'make-push-digests', schedules: digestSchedules, clock, logger, onMade }),
      sendDigests,
    ],
  };
}
