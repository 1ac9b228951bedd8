import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import { type AgencySimulatorOptions, startAgencySimulator } from '../src/agency-simulator.ts';
import type { StatusDocument } from '../src/status-document.ts';

export const CLIENT = { clientId: 'test-client', clientSecret: 'test-secret' };
/** A Monday morning in Washington. */
export const OPEN_MONDAY_MS = Date.parse('2026-01-05T15:00:00Z');

export interface AgencyUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly clock: ManualClock;
  stop(): Promise<void>;
  /** A new token. */
  token(): Promise<string>;
  /** Asks with a token of its own that is fetched once. */
  ask(receiptNumber: string, token?: string): Promise<Response>;
  /** The parsed 200 answer. */
  look(receiptNumber: string): Promise<StatusDocument['case_status']>;
  control(method: string, path: string, body?: unknown): Promise<Response>;
}

/** A simulator on a free port, its control API on and its clock standing still by default. */
export async function startAgency(options: Partial<AgencySimulatorOptions> = {}): Promise<AgencyUnderTest> {
  const clock = createManualClock(OPEN_MONDAY_MS);
  const simulator = await startAgencySimulator({
    ...CLIENT,
    control: true,
    clock,
    callsPerSecond: 1_000,
    ...options,
  });
  const { url } = simulator;
  let own: string | undefined;

  const agency: AgencyUnderTest = {
    ...simulator,
    clock,
    token: async () => {
      const answer = await requestToken(url);
      const { access_token } = (await answer.json()) as { access_token: string };
      return access_token;
    },
    ask: async (receiptNumber, token) => {
      if (token === undefined) own ??= await agency.token();
      return fetch(`${url}/case-status/${receiptNumber}`, {
        headers: { Authorization: `Bearer ${token ?? own}` },
      });
    },
    look: async (receiptNumber) => {
      const answer = await agency.ask(receiptNumber);
      if (answer.status !== 200) throw new Error(`${receiptNumber}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as StatusDocument).case_status;
    },
    control: (method, path, body) =>
      fetch(`${url}/__control${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      }),
    [Symbol.asyncDispose]: () => simulator.stop(),
  };
  return agency;
}

export function requestToken(
  url: string,
  form: Record<string, string> = {
    grant_type: 'client_credentials',
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
  },
): Promise<Response> {
  return fetch(`${url}/oauth/accesstoken`, { method: 'POST', body: new URLSearchParams(form) });
}
