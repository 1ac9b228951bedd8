import { openPrisma } from '@casewatch/service-kit/database/prisma-adapter';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { WatchReader } from '../domain/list-watches.ts';
import type { ClaimStore } from '../domain/store.ts';
import { PrismaClient } from '../generated/client.ts';
import { createClaimStore } from './claims.ts';
import type { Schedule } from './schedule.ts';
import { createWatchReader } from './watch-reader.ts';

export interface Database {
  readonly claims: ClaimStore;
  readonly reader: WatchReader;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** What scheduler and routes need of the database, with the connections it works on. */
export function openDatabase(options: {
  url: string;
  maximum: number;
  logger: Logger;
  schedule: Schedule;
}): Database {
  const { prisma, pool, close } = openPrisma((adapter) => new PrismaClient({ adapter }), {
    ...options,
    service: 'monitoring',
  });
  return {
    claims: createClaimStore(pool, options.schedule),
    reader: createWatchReader(prisma),
    pool,
    close,
  };
}
