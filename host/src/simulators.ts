import { randomBytes } from 'node:crypto';
import { startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';

/** The simulator's own daily quota: it is there for evaluation, not for rationing. */
const SIMULATED_CALLS_PER_DAY = '1000000';

/** Starts the agency simulator on loopback, with credentials made for this start. */
export async function startSimulators(env: NodeJS.ProcessEnv, agencyPort: number, control = true) {
  const clientId = 'casewatch-simulated';
  const clientSecret = randomBytes(16).toString('base64url');
  const callsPerSecond = Number(env.AGENCY_CALLS_PER_SECOND ?? 5);
  const callsPerDay = env.AGENCY_CALLS_PER_DAY ?? SIMULATED_CALLS_PER_DAY;
  const agency = await startAgencySimulator({
    port: agencyPort,
    control,
    clientId,
    clientSecret,
    callsPerSecond,
    callsPerDay: Number(callsPerDay),
  });
  return {
    agencyUrl: agency.url,
    parts: [{ name: 'agency simulator', stop: agency.stop }],
    /** Settings that lead the services to it. */
    env: {
      AGENCY_BASE_URL: agency.url,
      AGENCY_CLIENT_ID: clientId,
      AGENCY_CLIENT_SECRET: clientSecret,
      AGENCY_CALLS_PER_DAY: callsPerDay,
    },
  };
}
