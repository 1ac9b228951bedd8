import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { PollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { NotificationsSettings } from '../config.ts';
import type { DeliveryLog } from '../domain/delivery-log.ts';
import type { PushDevices, Pushing } from '../domain/push-devices.ts';
import type { CountResult } from '../domain/send-due-deliveries.ts';
import { createPushSender } from '../domain/send-push.ts';
import { type DuePush, statusPushes } from '../domain/status-pushes.ts';
import { createSendDeliveriesJob } from '../jobs/send-deliveries-job.ts';
import { createPushComposer } from './compose-push.ts';
import { createHostCheck } from './push-hosts.ts';
import { pushKeys } from './push-settings.ts';
import { openWebPushTransport } from './web-push-transport.ts';

/** A message that is older has been read in the list or in an e-mail. */
const GIVE_UP_MS = 72 * 3_600_000;
const AT_ONCE = 8;

interface Parts {
  log: DeliveryLog<DuePush>;
  devices: PushDevices;
  services: ServiceClient;
  clock: Clock;
  logger: Logger;
  count: CountResult;
  onUnauthorized: () => void;
}

/** What the settings say of push messages, and the job that sends them; undefined while they are off. @throws SettingsError */
export async function openPushing(
  settings: SettingsOf<NotificationsSettings>,
  { log, devices, services, clock, logger, count, onUnauthorized }: Parts,
): Promise<(Pushing & { readonly job: PollingJob }) | undefined> {
  const keys = pushKeys(settings);
  if (!keys) return undefined;
  const { publicKey, privateKey } = keys;
  const isAllowed = createHostCheck(settings.PUSH_HOSTS);
  const transport = await openWebPushTransport({ keys, isAllowed, clock, connections: AT_ONCE });
  const sender = createPushSender({ transport, devices, clock, logger, onUnauthorized });
  const { compose, composeTest } = createPushComposer({ secret: privateKey, giveUpMs: GIVE_UP_MS, clock });
  const sending = {
    name: 'send push',
    kind: statusPushes({ log, services, compose, publicKey, isAllowed, clock, logger }),
    sender,
    clock,
    logger,
    count,
    leaseMs: settings.PUSH_LEASE_SECONDS * 1_000,
    giveUpMs: GIVE_UP_MS,
    atOnce: AT_ONCE,
    random: Math.random,
  };
  const job = createSendDeliveriesJob('send-push', sending, settings.PUSH_POLL_MS);
  return { publicKey, sender, isAllowed, composeTest, job };
}
