import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const SIGN_IN = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
};

/** What a first start leaves: the starts that are about something else continue with a copy of it, which is quicker. */
let firstStart: string;
let dataDir: string;
let started: Run[] = [];
beforeAll(async () => {
  firstStart = makeMemoryFolder('start');
  dataDir = firstStart;
  const run = start();
  await urlOf(run);
  run.process.kill('SIGTERM');
  await run.exited;
});
beforeEach(() => {
  dataDir = makeMemoryFolder('start');
  started = [];
});
afterEach(async () => {
  for (const run of started) {
    run.process.kill('SIGKILL');
    await run.exited;
  }
  stopDatabaseOf(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});
afterAll(() => rmSync(firstStart, { recursive: true, force: true }));

interface Run {
  process: ChildProcess;
  exited: Promise<number | null>;
  output: () => string;
}

function start(env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [main], {
    cwd: dataDir,
    // The channel ends it with this process, however that ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: path.join(dataDir, 'data'),
      PORT: '0',
      ...env,
    },
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const run = { process: child, exited, output: () => output };
  started.push(run);
  return run;
}

function startAgain(env?: Record<string, string>): Run {
  // With its owners, one of which is PostgreSQL's.
  execFileSync('cp', ['-a', path.join(firstStart, 'data'), dataDir]);
  return start(env);
}

const urlOf = (run: Run): Promise<string> => shown(run, /ready at (http:\S+)/);

/** Waits for a text: the output of a process comes in chunks. @throws when it exits without having printed it */
async function shown(run: Run, wanted: RegExp): Promise<string> {
  for (;;) {
    const found = wanted.exec(run.output());
    if (found) return found[1] ?? found[0];
    const ended = await Promise.race([
      run.exited.then(() => true),
      new Promise((r) => setTimeout(() => r(false), 50)),
    ]);
    if (ended) throw new Error(`ended: ${run.output()}`);
  }
}

const demoSignIn = (url: string) =>
  fetch(`${url}/api/auth/login`, {
    ...SIGN_IN,
    body: JSON.stringify({ email: 'free@demo.test', password: 'demo-demo-demo' }),
  });

function stopDatabaseOf(folder: string): void {
  const pidFile = path.join(folder, 'data', 'postgres', 'postmaster.pid');
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGINT');
}

test('it starts from nothing, prints its address, answers, and stops everything on SIGTERM', async () => {
  const run = start();
  const url = await urlOf(run);
  await shown(run, /free@demo\.test/);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await demoSignIn(url)).status).toBe(200);
  const passcode = await shown(run, /passcode: (\S+)\n/);
  const opened = await fetch(`${url}/api/admin/login`, { ...SIGN_IN, body: JSON.stringify({ passcode }) });
  expect(opened.status).toBe(200);
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const surveys = (headers: Record<string, string>) => fetch(`${url}/api/admin/surveys`, { headers });
  expect((await surveys({})).status).toBe(401);
  expect(await (await surveys({ cookie })).json()).toEqual([]);
  run.process.kill('SIGTERM');
  expect(await run.exited).toBe(0);
  expect(existsSync(path.join(dataDir, 'data', 'postgres', 'postmaster.pid'))).toBe(false);
  expect(existsSync(path.join(dataDir, 'data', 'lock'))).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
});

describe('once it is ready', () => {
  let run: Run;
  let url: string;
  beforeEach(async () => {
    run = startAgain({ LEAVE_SECONDS: '2' });
    url = await urlOf(run);
  });

  test('on SIGTERM it reports that it is not ready, keeps answering, and only then ends', async () => {
    const ask = (place: string) => fetch(url + place, { headers: { connection: 'close' } });
    run.process.kill('SIGTERM');
    let readiness = 200;
    // Until the signal has arrived.
    while (readiness === 200) readiness = (await ask('/readyz')).status;
    expect(readiness).toBe(503);
    expect((await ask('/livez')).status).toBe(200);
    const answer = await demoSignIn(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await run.exited).toBe(0);
    await expect(ask('/livez')).rejects.toThrow();
  });

  test('a second copy on the same data folder says so and does not disturb it', async () => {
    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`in use by another copy (process ${run.process.pid})`);
    expect((await demoSignIn(url)).status).toBe(200);
  });
});

test('a terminal that closes stops everything in order, however often it asks', async () => {
  const run = startAgain();
  await urlOf(run);
  // What the terminal sends to the whole group, and to `npm start`.
  for (const signal of ['SIGHUP', 'SIGTERM', 'SIGTERM'] as const) run.process.kill(signal);
  expect(await run.exited).toBe(0);
  expect(existsSync(path.join(dataDir, 'data', 'postgres', 'postmaster.pid'))).toBe(false);
  expect(existsSync(path.join(dataDir, 'data', 'lock'))).toBe(false);
});

test.each([
  ['is being created', start, 'postgres.new'],
  ['starts', startAgain, path.join('postgres', 'postmaster.pid')],
])('a stop while the database %s leaves nothing running', async (_, begin, file) => {
  const run = begin();
  const inData = (name: string) => path.join(dataDir, 'data', name);
  while (!existsSync(inData(file))) await new Promise((resolve) => setTimeout(resolve, 5));
  run.process.kill('SIGTERM');
  expect(await run.exited).toBe(0);
  for (const left of ['postgres.new', 'postgres.password', 'postgres/postmaster.pid', 'lock'])
    expect(existsSync(inData(left)), left).toBe(false);
  expect(run.output()).not.toContain('could not start');
});

describe('after kill -9', () => {
  const account = { email: 'kept@example.test', password: 'kept for later' };
  beforeEach(async () => {
    const killed = startAgain();
    const signedUp = await fetch(`${await urlOf(killed)}/api/auth/signup`, {
      ...SIGN_IN,
      body: JSON.stringify({ ...account, firstName: 'K', lastName: 'Ept' }),
    });
    expect(signedUp.status).toBe(201);
    killed.process.kill('SIGKILL');
    await killed.exited;
  });

  test('the next start finds nothing in its way, and no account is lost', async () => {
    const run = start();
    const url = await urlOf(run);
    const again = await fetch(`${url}/api/auth/login`, { ...SIGN_IN, body: JSON.stringify(account) });
    expect(again.status).toBe(200);
    run.process.kill('SIGTERM');
    expect(await run.exited).toBe(0);
  });
});

test('a taken port is reported with what to do, and nothing stays behind', async () => {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  try {
    const run = start({ PORT: String(port) });
    expect(await run.exited).toBe(1);
    expect(run.output()).toContain(`Port ${port} is taken`);
    expect(run.output()).not.toContain('    at ');
    expect(existsSync(path.join(dataDir, 'data', 'postgres', 'postmaster.pid'))).toBe(false);
  } finally {
    other.close();
  }
});

test.each([
  ['another port', freePort],
  ['any free port', async () => 0],
])('on %s, what leads to the product leads to that port', async (_which, choose) => {
  const port = await choose();
  const url = await urlOf(startAgain({ PORT: String(port) }));
  const { servers } = (await (await fetch(`${url}/api/openapi.json`)).json()) as { servers: unknown };
  expect(servers).toEqual([{ url: `http://localhost:${port || new URL(url).port}` }]);
});

describe('outside loopback', () => {
  const outside = {
    PUBLIC_URL: 'https://cases.example',
    MAILBOX_PORT: '0',
    ADMIN_PASSCODE: '',
    OPERATOR_NAME: 'Example Agency',
    OPERATOR_ADDRESS: '1 Main Street, Springfield',
    OPERATOR_JURISDICTION: 'the State of Example',
    OPERATOR_EMAIL: 'help@agency.example',
    POLICIES_DATE: '2026-12-01',
  };
  const agency = {
    AGENCY_BASE_URL: 'http://127.0.0.1:9',
    AGENCY_CLIENT_ID: 'id',
    AGENCY_CLIENT_SECRET: 'secret',
  };

  test('no simulator, demo account, or printed passcode is there, Pro is not offered, and the start says what is off', async () => {
    const run = startAgain({ ...outside, ...agency });
    const url = await urlOf(run);
    await shown(run, /Stop with Ctrl-C/);
    for (const off of ['Pro is not offered', 'no emails are sent', 'no support is offered'])
      expect(run.output()).toContain(`Off: ${off}`);
    const { adminPasscode } = JSON.parse(readFileSync(path.join(dataDir, 'data', 'secrets.json'), 'utf8'));
    for (const word of ['simulated', '__control', 'demo.test', 'Emails are shown', adminPasscode])
      expect(run.output()).not.toContain(word);
    expect(await (await fetch(`${url}/api/pricing`)).json()).toEqual([]);
    expect(await (await fetch(`${url}/api/billing/config`)).json()).toMatchObject({ offered: false });
    expect((await demoSignIn(url)).status).toBe(401);
    const policy = (await fetch(`${url}/`)).headers.get('content-security-policy');
    expect(policy).toContain('script-src');
    expect(policy).not.toMatch(/localhost|127\.0\.0\.1/);
  });

  test('without an agency nothing starts, and the advice names both ways', async () => {
    const run = start(outside);
    expect(await run.exited).toBe(1);
    expect(run.output()).toMatch(/AGENCY_CLIENT_ID: is needed.*SIMULATORS=agency,payments,mailbox/);
    expect(existsSync(path.join(dataDir, 'data'))).toBe(false);
  });

  test('what is named is simulated, and nothing else', async () => {
    const run = startAgain({ ...outside, SIMULATORS: 'agency' });
    const url = await urlOf(run);
    await shown(run, /Stop with Ctrl-C/);
    expect(run.output()).toContain('The agency is simulated.');
    expect(run.output()).not.toMatch(/__control|demo\.test|Payments are simulated|Emails are shown/);
    expect((await demoSignIn(url)).status).toBe(401);
  });
});

test('wrong settings are listed together and nothing starts', async () => {
  const run = start({ PORT: 'x', LOG_LEVEL: 'loud' });
  expect(await run.exited).toBe(1);
  expect(run.output()).toContain('PORT: ');
  expect(run.output()).toContain('LOG_LEVEL: ');
  expect(existsSync(path.join(dataDir, 'data'))).toBe(false);
});
