import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AgencySimulator, startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';

const UNTHROTTLED = 100_000_000;
const FINISHED = 'http.server.response.finish';
const STATUS_PATH = '/case-status/';

/** The agency simulator in this process, which sees when it answers. */
export interface WatchedAgency {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A token for a client that can't get one itself; good for 30 minutes. */
  token(): Promise<string>;
  /** Gives cases a status that they did not have before. */
  move(receiptNumbers: readonly string[], status: string): Promise<void>;
  /** When each case was last answered with its status since `forgetAnswers`, Unix time in ms. */
  readonly answeredAtMs: ReadonlyMap<string, number>;
  forgetAnswers(): void;
  stop(): Promise<void>;
}

export async function startWatchedAgency(): Promise<WatchedAgency> {
  const clientId = 'casewatch-bench';
  const clientSecret = randomBytes(16).toString('hex');
  const simulator: AgencySimulator = await startAgencySimulator({
    clientId,
    clientSecret,
    control: true,
    callsPerSecond: UNTHROTTLED,
    callsPerDay: UNTHROTTLED,
  });
  const answeredAtMs = new Map<string, number>();
  const record = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.socket.localPort !== simulator.port || response.statusCode !== 200) return;
    if (request.url?.startsWith(STATUS_PATH))
      answeredAtMs.set(request.url.slice(STATUS_PATH.length), Date.now());
  };
  subscribe(FINISHED, record);
  return {
    url: simulator.url,
    clientId,
    clientSecret,
    async token() {
      const answer = await fetch(`${simulator.url}/oauth/accesstoken`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
        }),
      });
      const { access_token: token } = (await answer.json()) as { access_token?: string };
      if (!token) throw new Error(`the agency gave no token: ${answer.status}`);
      return token;
    },
    async move(receiptNumbers, status) {
      for (const receiptNumber of receiptNumbers) {
        const answer = await fetch(`${simulator.url}/__control/cases/${receiptNumber}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ status }),
        });
        if (!answer.ok) throw new Error(`the case was not moved: ${await answer.text()}`);
        await answer.body?.cancel();
      }
    },
    answeredAtMs,
    forgetAnswers: () => answeredAtMs.clear(),
    stop: async () => {
      unsubscribe(FINISHED, record);
      await simulator.stop();
    },
  };
}
