import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { type Mutation, mutatedBy } from '@casewatch/testing/mutation';
import { fill, fillPersonal, PASSCODE, type Role, sessionOf } from './product-data.ts';

/** Beyond anything a run sends: what limits do has tests of its own, and they would hide everything else here. */
const NO_LIMIT = '1000000';

export type FuzzedProduct = Awaited<ReturnType<typeof startFuzzedProduct>>;

/** Starts what `npm start` starts, with a database of its own, limits that no run reaches, and data to find in it. */
export async function startFuzzedProduct(mutations: readonly Mutation[] = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-fuzz-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const at = { url, agencyPort: await freePort() };
  const { process: product, ready } = startProductProcess({
    name: 'all-in-one',
    program: 'host/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      ...mutatedBy(mutations),
      SERVICES: 'all',
      PORT: new URL(url).port,
      PUBLIC_URL: url,
      DATA_DIR: folder,
      ADMIN_PASSCODE: PASSCODE,
      LOG_LEVEL: 'warn',
      LOG_FILE: path.join(folder, 'casewatch.log'),
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: NO_LIMIT,
      RATE_LIMIT_PER_USER_PER_MINUTE: NO_LIMIT,
      SIGN_IN_TRIES_PER_ACCOUNT: NO_LIMIT,
      SIGN_IN_TRIES_PER_ADDRESS: NO_LIMIT,
      SIGN_UPS_PER_ADDRESS: NO_LIMIT,
      ACCOUNT_MAILS: 'true',
      ACCOUNT_MAILS_PER_ADDRESS: NO_LIMIT,
      ACCOUNT_MAILS_PER_ACCOUNT: NO_LIMIT,
      ACCOUNT_MAILS_PER_NETWORK: NO_LIMIT,
      ADMIN_TRIES_PER_ADDRESS: NO_LIMIT,
      ADMIN_TRIES_OVERALL: NO_LIMIT,
      AGENCY_SIMULATOR_PORT: String(at.agencyPort),
      AGENCY_CALLS_PER_SECOND: '1000',
      AGENCY_CALLS_PER_DAY: '10000000',
      FRESHNESS_SECONDS: '0',
    },
  });
  const stop = async () => {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready;
    await fill(at);
    return {
      ...{ url, passcode: PASSCODE, personal: await fillPersonal(at), stop },
      /** Opens a session of its own each time. Returns the value of its cookie. */
      sessionOf: (role: Role) => sessionOf(at, role),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
