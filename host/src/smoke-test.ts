import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { integer, readSettings, setting } from '@casewatch/service-kit/settings/settings';
import { z } from 'zod';

/**
 * The main flow as a person goes through it, against a running product: sign up, look up, save; and where the agency
 * is simulated, watch a case, move it and wait for the notification. Leaves no account behind. Exits 0 when all of it
 * worked, 1 with the step that did not.
 */
const SETTINGS = {
  SMOKE_TEST_URL: setting(z.url(), { description: 'Where the gateway is reached.' }),
  PUBLIC_URL: setting(z.url().default('http://localhost:8080'), {
    description: 'The origin that the gateway expects of browsers.',
  }),
  SMOKE_TEST_AGENCY_CONTROL_URL: setting(z.url().optional(), {
    description: "The agency simulator's control API; without it no case can be moved.",
  }),
  SMOKE_TEST_SECONDS: setting(integer(1, 600).default(60), {
    description: 'How long the notification may take.',
  }),
};
const DEMO = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const KNOWN_RECEIPT = 'EAC9999103403';

const settings = readSettings(SETTINGS, process.env);
let cookie = '';
let step = 'start';

try {
  await lookUpAndSave();
  if (settings.SMOKE_TEST_AGENCY_CONTROL_URL) await hearOfAMove(settings.SMOKE_TEST_AGENCY_CONTROL_URL);
  console.log('the main flow works');
} catch (error) {
  console.error(`failed at: ${step}\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function lookUpAndSave(): Promise<void> {
  const password = randomBytes(12).toString('base64url');
  const email = `smoke-${randomBytes(8).toString('hex')}@example.test`;
  begin('sign up');
  await call('POST', '/api/auth/signup', { email, password, firstName: 'Smoke', lastName: 'Test' });
  if (settings.SMOKE_TEST_AGENCY_CONTROL_URL) {
    begin('look up a case');
    await call('GET', `/api/case-status/${KNOWN_RECEIPT}`);
  }
  begin('save it');
  await call('POST', '/api/saved-cases', { receiptNumber: KNOWN_RECEIPT, monitoringFrequency: 'none' });
  begin('see it saved');
  const saved = z.array(z.object({ receiptNumber: z.string() })).parse(await call('GET', '/api/saved-cases'));
  if (saved[0]?.receiptNumber !== KNOWN_RECEIPT) throw new Error('the saved case is not in the list');
  begin('delete the account');
  await call('DELETE', '/api/auth/me', { currentPassword: password });
}

async function hearOfAMove(control: string): Promise<void> {
  const receiptNumber = `EAC${randomInt(1e9, 1e10 - 1)}`;
  begin('make a case at the simulated agency');
  await move(control, receiptNumber, 'Case Was Received');
  begin('sign in as the demo account');
  await call('POST', '/api/auth/login', DEMO);
  try {
    begin('watch the case daily');
    await call('POST', '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
    await call('PATCH', `/api/saved-cases/${receiptNumber}`, { monitoringFrequency: 'daily' });
    begin('see it checked for the first time');
    await until(async () => {
      const saved = z
        .array(z.object({ receiptNumber: z.string(), lastKnownStatus: z.string().nullable() }))
        .parse(await call('GET', '/api/saved-cases'));
      return saved.some((one) => one.receiptNumber === receiptNumber && one.lastKnownStatus !== null);
    });
    begin('receive its change');
    await move(control, receiptNumber, 'Case Was Approved');
    await until(async () => {
      const notices = z
        .array(z.object({ receiptNumber: z.string(), newStatus: z.string() }))
        .parse(await call('GET', '/api/notifications'));
      return notices.some(
        (one) => one.receiptNumber === receiptNumber && one.newStatus === 'Case Was Approved',
      );
    });
  } finally {
    await call('DELETE', `/api/saved-cases/${receiptNumber}`);
  }
}

function begin(name: string): void {
  step = name;
  console.log(`- ${name}`);
}

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(new URL(path, settings.SMOKE_TEST_URL), {
    method,
    headers: {
      origin: new URL(settings.PUBLIC_URL).origin,
      ...(cookie ? { cookie } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  const set = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (set) cookie = set;
  return text === '' ? undefined : JSON.parse(text);
}

async function move(control: string, receiptNumber: string, status: string): Promise<void> {
  const answer = await fetch(`${control}/cases/${receiptNumber}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status}`);
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + settings.SMOKE_TEST_SECONDS * 1_000;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`not within ${settings.SMOKE_TEST_SECONDS} s`);
    await pause(250);
  }
}
