import type { EventBus } from '@casewatch/messaging/event-bus';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { openPrisma } from '@casewatch/service-kit/database/prisma-adapter';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { PrismaClient } from '../generated/client.ts';
import { createAccounts } from './accounts.ts';
import { createProviderEvents } from './provider-events.ts';
import { createUserLocks } from './user-locks.ts';

/** Opens the service's store. Connections that hold locks while the provider answers have a pool of their own, with sessions. */
export function openDatabase(options: {
  url: string;
  /** Not through a transaction pooler. */
  directUrl: string;
  maximum: number;
  usersAtOnce: number;
  logger: Logger;
  bus: EventBus;
}) {
  const { url, directUrl, logger, maximum, usersAtOnce, bus } = options;
  const { prisma, pool, close } = openPrisma((adapter) => new PrismaClient({ adapter }), {
    url,
    logger,
    maximum,
    service: 'billing',
  });
  const locks = createDatabasePool({ url: directUrl, logger, maximum: usersAtOnce, service: 'billing' });
  return {
    store: { ...createAccounts(prisma, bus), ...createProviderEvents(prisma), ...createUserLocks(locks) },
    pool,
    close: async () => {
      await Promise.all([close(), locks.end()]);
    },
  };
}
