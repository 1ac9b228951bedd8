import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { startChild } from '../child.ts';
import { openStream } from '../pipeline/open-stream.ts';
import { signUpPeople } from '../pipeline/people.ts';
import { createWatchedCases } from '../pipeline/watched-cases.ts';
import type { OnNotice, Tracker } from './tracker.ts';
import type { WatchedAgency } from './watched-agency.ts';

const PEOPLE = 10;

/** Starts the product in one process with a PostgreSQL of its own (fsync on) and signs people in whose browsers wait for notices. */
export async function startCasewatch(options: {
  folder: string;
  agency: WatchedAgency;
  watches: number;
  onNotice: OnNotice;
}): Promise<Tracker> {
  const { folder, agency, watches } = options;
  const dataDir = path.join(folder, 'pg');
  const database = await startEmbeddedPostgres({
    dataDir,
    password: randomBytes(16).toString('hex'),
    serverSettings: ['max_connections=200'],
  });
  const postgresPid = Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const product = await startChild(
    'host/src/main.ts',
    {
      PORT: '0',
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: database.ownerUrl,
      LOG_LEVEL: 'warn',
      AGENCY_BASE_URL: agency.url,
      AGENCY_CLIENT_ID: agency.clientId,
      AGENCY_CLIENT_SECRET: agency.clientSecret,
      AGENCY_CALLS_PER_SECOND: '100000',
      AGENCY_CALLS_PER_DAY: '100000000',
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000',
      SIGN_UPS_PER_ADDRESS: '1000',
    },
    /ready at (http:\S+)/,
  );
  const people = await signUpPeople({ url: product.found, ownerUrl: database.ownerUrl, count: PEOPLE });
  const cases = await createWatchedCases(
    database.ownerUrl,
    people.map(({ id }) => id),
    watches,
  );
  const streams = await Promise.all(
    people.map(({ cookie }) =>
      openStream(product.found, cookie, ({ receiptNumber }) => options.onNotice(receiptNumber)),
    ),
  );
  return {
    name: 'Casewatch',
    pids: () => [product.process.pid ?? 0, postgresPid],
    makeAllDue: () => cases.makeDue(watches, 0),
    async isSettled() {
      const { recorded, waiting } = await cases.progress();
      return recorded >= watches && waiting === 0;
    },
    async stop() {
      for (const stream of streams) stream.close();
      await cases.close();
      await product.stop();
      await database.stop();
    },
  };
}
