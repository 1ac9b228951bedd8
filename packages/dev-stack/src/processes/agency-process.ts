import { randomBytes } from 'node:crypto';
import { freePort } from '../free-port.ts';
import { type ProductProcess, startProductProcess } from './product-process.ts';

export interface AgencyProcess extends ProductProcess {
  readonly url: string;
  /** Base of the control API: `${controlUrl}/cases/EAC…`. */
  readonly controlUrl: string;
  /** Settings that point the services to it. */
  readonly env: Record<string, string>;
}

export interface AgencyProcessOptions {
  /** Limit of the simulator and budget of the product; 1,000 unless given. */
  callsPerSecond?: number;
  /** Ten million unless given. */
  callsPerDay?: number;
}

/** Starts the agency simulator as a process of its own, with its control API. */
export async function startAgencyProcess(options: AgencyProcessOptions = {}): Promise<AgencyProcess> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const callsPerSecond = String(options.callsPerSecond ?? 1_000);
  const callsPerDay = String(options.callsPerDay ?? 10_000_000);
  const credentials = {
    AGENCY_CLIENT_ID: 'casewatch-simulated',
    AGENCY_CLIENT_SECRET: randomBytes(16).toString('base64url'),
  };
  const controlUrl = `${url}/__control`;
  const { process: agency, ready } = startProductProcess({
    name: 'agency simulator',
    program: 'simulators/agency/src/main.ts',
    readyUrl: `${controlUrl}/calls`,
    env: {
      ...credentials,
      AGENCY_SIMULATOR_PORT: new URL(url).port,
      AGENCY_SIMULATOR_CONTROL: 'true',
      AGENCY_SIMULATOR_CALLS_PER_SECOND: callsPerSecond,
      AGENCY_SIMULATOR_CALLS_PER_DAY: callsPerDay,
      LOG_LEVEL: 'warn',
    },
  });
  await ready;
  return {
    ...agency,
    url,
    controlUrl,
    env: {
      ...credentials,
      AGENCY_BASE_URL: url,
      AGENCY_CALLS_PER_SECOND: callsPerSecond,
      AGENCY_CALLS_PER_DAY: callsPerDay,
    },
  };
}
