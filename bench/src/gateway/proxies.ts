import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type Child, startChild } from '../child.ts';
import { type Measure, measure, type Target } from '../load.ts';

const PEOPLE = 64;
/** Enough for the compiler to have optimized what is measured, also on a crowded machine where seconds say little. */
const WARM_UP_REQUESTS = 20_000;
const LISTENING = /listening (\d+) /;
const LOOKUP_PATH = '/api/case-status/EAC9999103403';

/** Remembers what to stop. */
type Keep = <C extends Child>(starting: Promise<C>) => Promise<C>;

export async function warmUp(target: Target, seconds: number): Promise<void> {
  for (let requests = 0; requests < WARM_UP_REQUESTS; ) {
    const { requestsPerSecond }: Measure = await measure(target, seconds);
    if (requestsPerSecond === 0) throw new Error(`${target.name} answers nothing`);
    requests += requestsPerSecond * seconds;
  }
}

/** Starts a service that does the least it can; returns its URL. */
export async function startBareService(keep: Keep): Promise<string> {
  const service = await keep(startChild('bench/src/bare-service.ts', {}, LISTENING));
  return `http://127.0.0.1:${service.found}`;
}

export async function startBareProxy(serviceUrl: string, keep: Keep): Promise<Target> {
  const proxy = await keep(startChild('bench/src/bare-proxy.ts', { TARGET: serviceUrl }, LISTENING));
  const url = `http://127.0.0.1:${proxy.found}${LOOKUP_PATH}`;
  return { name: 'bare http-proxy-middleware', url, cookies: cookies(), children: [proxy] };
}

/** Starts the product's gateway with limits that are never reached. */
export async function startGateway(serviceUrl: string, keep: Keep, logFile: string): Promise<Target> {
  const identity = await keep(startChild('bench/src/identity-stub.ts', {}, LISTENING));
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const port = await freePort();
  const settings = {
    SERVICES: 'gateway',
    PORT: String(port),
    IDENTITY_URL: `http://127.0.0.1:${identity.found}`,
    CASES_URL: serviceUrl,
    INTERNAL_SECRET: randomBytes(16).toString('hex'),
    TOKEN_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000000',
    RATE_LIMIT_PER_USER_PER_MINUTE: '100000000',
    LOG_FILE: logFile,
  };
  const child = await keep(startChild('bench/src/role.ts', settings, /started()/));
  return {
    name: 'gateway',
    url: `http://127.0.0.1:${port}${LOOKUP_PATH}`,
    cookies: cookies(),
    children: [child],
  };
}

/** Returns cookies as browsers send them: the session among others. */
function cookies(): string[] {
  return Array.from({ length: PEOPLE }, () => `theme=dark; sid=${randomBytes(32).toString('base64url')}`);
}
