import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { type CheckResult, checkCases } from '@casewatch/contracts/check-cases';
import { createTokenIssuer } from '@casewatch/service-kit/http/identity-token';
import { IDENTITY_HEADER, INTERNAL_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { Agent, request } from 'undici';

const BATCH = 25;
/** After a refusal, or where the process does not answer. */
const REST_MS = 50;

export type CasesLoad = ReturnType<typeof createCasesLoad>;

/** Asks processes of cases for statuses that nothing stored can answer, as the gateway and monitoring do. */
export function createCasesLoad() {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const internalSecret = randomBytes(16).toString('hex');
  const issueToken = createTokenIssuer(keys.privateKey, systemClock);
  const dispatcher = new Agent({ connections: 128 });
  let numbered = 0;

  /** The simulator knows every number that is even. */
  function nextReceipt(): string {
    numbered += 1;
    return `WAC${String(2 * numbered).padStart(10, '0')}`;
  }

  async function check(url: string, count: number): Promise<readonly CheckResult[]> {
    const { statusCode, body } = await request(url + checkCases.path, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', [INTERNAL_HEADER]: internalSecret },
      body: JSON.stringify({ receiptNumbers: Array.from({ length: count }, nextReceipt) }),
    });
    if (statusCode !== 200) throw new Error(`the check answered ${statusCode}: ${await body.text()}`);
    return checkCases.answer.parse(await body.json()).results;
  }

  return {
    /** Settings by which the processes take it for the gateway and monitoring. */
    env: {
      INTERNAL_SECRET: internalSecret,
      TOKEN_PUBLIC_KEY: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
    check,
    /** Has checks due all the time at a process: that many batches of 25 until the returned function is called. */
    keepDue(url: string, batches: number): () => Promise<void> {
      let going = true;
      const loop = async () => {
        while (going) {
          const results = await check(url, BATCH).catch(() => []);
          if (!results.some(({ outcome }) => outcome === 'observed')) await pause(REST_MS);
        }
      };
      const loops = Array.from({ length: batches }, loop);
      return async () => {
        going = false;
        await Promise.all(loops);
      };
    },
    /** One user's lookup; resolves to how long it took. Each is another user's. */
    async lookUp(url: string): Promise<number> {
      const person = { userId: randomUUID(), sessionId: randomUUID(), tier: 'free', name: 'Ada' } as const;
      const headers = { [IDENTITY_HEADER]: issueToken(person, 'cases') };
      const startedMs = performance.now();
      const { statusCode, body } = await request(`${url}/api/case-status/${nextReceipt()}`, {
        dispatcher,
        headers,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`the lookup answered ${statusCode}: ${text}`);
      return performance.now() - startedMs;
    },
    stop: () => dispatcher.close(),
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
