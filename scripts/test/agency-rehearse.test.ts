import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { type AgencySimulator, startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';
import { WITH_HISTORY } from '@casewatch/agency-simulator/case-store';
import { createAgencyCalls } from '@casewatch/cases/caller/agency-calls';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { listen } from '@casewatch/service-kit/http/http-server';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecord } from '../agency-rehearsal/rehearsal-record.ts';
import { rehearsalReport } from '../agency-rehearsal/rehearsal-report.ts';
import { KNOWN, type RehearsalDeps, rehearse } from '../agency-rehearsal/rehearse.ts';
import { areConsecutive, nextOpenDays, opensMs } from '../agency-rehearsal/sandbox-days.ts';
import { startCommand, until } from './run-command.ts';

const KEYS = { clientId: 'rehearsal-client', clientSecret: 'rehearsal-secret' };
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const TIMEOUT_MS = 5_000;
const LONG_TEST_MS = 180_000;

let folder: string;
let agency: AgencySimulator;
let nowMs: number;
/** What happens when the clock passes a time, each once. */
let events: [atMs: number, event: () => unknown][];

/** Each sleep advances it by its length. */
const clock = {
  nowMs: () => nowMs,
  async sleep(ms: number, signal?: AbortSignal) {
    signal?.throwIfAborted();
    nowMs += ms;
    const due = events.filter(([atMs]) => atMs <= nowMs);
    events = events.filter((event) => !due.includes(event));
    for (const [, event] of due) await event();
  },
};

beforeEach(async () => {
  folder = makeMemoryFolder('rehearsal');
  events = [];
  nowMs = Date.parse('2026-01-05T06:00:00-05:00');
  agency = await startAgencySimulator({
    ...KEYS,
    clock,
    control: true,
    population: 'sandbox',
    openingHours: 'sandbox',
    callsPerDay: 1_000,
  });
});
afterEach(async () => {
  await agency.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function control(method: string, resource: string, body?: object) {
  const answer = await fetch(`${agency.url}/__control/${resource}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  expect(answer.ok).toBe(true);
  return answer.status === 204 ? undefined : answer.json();
}
const counted = async (receiptNumber = '') =>
  (await control('GET', `calls?receiptNumber=${receiptNumber}`.replace(/\?.*=$/, ''))) as {
    total: number;
    maxInAnySecond: number;
  };

/** A run of the command's parts on the moved clock. */
async function run(days: number, change: (deps: RehearsalDeps) => RehearsalDeps = (deps) => deps) {
  const plan = { baseUrl: agency.url, demoId: '1234', days, callsPerDay: 900 };
  const file = openRecord(path.join(folder, 'record.json'), plan, () => nextOpenDays(days, nowMs));
  const keys = [{ ...KEYS, name: 'current', endsMs: undefined }] as const;
  const access = { keys, baseUrl: agency.url, demoId: '1234', headers: {}, linkHosts: [] };
  const logger = createLogger({ level: 'silent', name: 'test' });
  const calls = createAgencyCalls({
    ...access,
    timeoutMs: TIMEOUT_MS,
    clock,
    telemetry: noTelemetry,
    logger,
  });
  const signal = new AbortController().signal;
  try {
    await rehearse(file, change({ calls, clock, timeoutMs: TIMEOUT_MS, signal }));
  } finally {
    await calls.stop();
  }
  return file.record;
}

/** As when the process is killed: nothing of it runs after that. */
class Killed extends Error {}

const at = (day: number, hour: number) =>
  Date.parse('2026-01-05T00:00:00-05:00') + (day * 24 + hour) * HOUR_MS;
/** The cells of the report's table below its head. */
const rowsOf = (report: string) =>
  report
    .split('\n')
    .filter((line) => line.startsWith('| 2'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );

test(
  'five days have their calls with both kinds of answers through a 429, an hour of 503, a kill and an hour without tokens, and the report counts what the agency did',
  async () => {
    const perDay: { total: number; maxInAnySecond: number; unknown: number; malformed: number }[] = [];
    const countDay = async () => {
      const [unknown, malformed] = [await counted('ZZZ9999999999'), await counted('EAC999910340')];
      perDay.push({ ...(await counted()), unknown: unknown.total, malformed: malformed.total });
      await control('DELETE', 'calls');
    };
    let isKilled = false;
    events = [
      [at(1, 10), () => control('PUT', 'faults', { mode: 'rate-limited', count: 1 })],
      [at(2, 12), () => control('PUT', 'faults', { mode: 'unavailable' })],
      [at(2, 13), () => control('PUT', 'faults', { mode: 'none' })],
      [
        at(3, 15),
        () => {
          isKilled = true;
        },
      ],
      [at(4, 14), () => control('PUT', 'faults', { mode: 'unavailable', endpoint: 'token' })],
      [at(4, 15), () => control('PUT', 'faults', { mode: 'none' })],
      ...[1, 2, 3, 4].map((day): (typeof events)[number] => [at(day, 0), countDay]),
    ];
    const killedOnceSent = run(5, (deps) => ({
      ...deps,
      calls: {
        token: deps.calls.token,
        async call(...call) {
          const sent = await deps.calls.call(...call);
          if (isKilled) throw new Killed();
          return sent;
        },
      },
    }));
    await expect(killedOnceSent).rejects.toThrow(Killed);
    await clock.sleep(30 * MINUTE_MS);
    const record = await run(5);
    await countDay();

    const report = rehearsalReport(record);
    expect(report).toContain('`demo_id`: 1234');
    expect(report).toContain('Finished: each day has both 200 and 4xx.');
    expect(report).toContain('2026-01-08, 2026-01-09 (consecutive); 900 calls a day');
    expect(report).toContain('| Day | Calls | 200 | 404 | 422 | 429 | 503 | answer not recorded | First |');
    const rows = rowsOf(report);
    expect(rows).toEqual([
      ['2026-01-05', '900', '630', '180', '90', '0', '0', '0', '07:00:26', '19:59:34', 'none'],
      ['2026-01-06', '895', '626', '178', '90', '1', '0', '0', '07:00:26', '19:59:34', '5 during a pause'],
      ['2026-01-07', '834', '579', '166', '83', '0', '6', '0', '07:00:26', '19:59:34', '66 during a pause'],
      ['2026-01-08', '866', '606', '173', '86', '0', '0', '1', '07:00:26', '19:59:34', '34 not running'],
      [
        '2026-01-09',
        '852',
        '596',
        '171',
        '85',
        '0',
        '0',
        '0',
        '07:00:26',
        '19:59:34',
        '8 no token, 40 during a pause',
      ],
    ]);
    expect(perDay.map(({ total }) => String(total))).toEqual(rows.map(([, calls]) => calls));
    expect(perDay.map(({ maxInAnySecond }) => maxInAnySecond)).toEqual([1, 1, 1, 1, 1]);
    // Of the calls that a 429 or a 503 answered, or whose answer is not recorded, some asked for these.
    expect(perDay.map(({ unknown, malformed }) => [unknown, malformed])).toEqual([
      [180, 90],
      [179, 90],
      [168, 83],
      [173, 86],
      [171, 85],
    ]);
    await run(5);
    expect(await counted()).toMatchObject({ total: 0 });
  },
  LONG_TEST_MS,
);

test(
  'a rehearsal begun on a Thursday goes on behind the weekend, without the calls before its beginning, and stays below the quota',
  async () => {
    nowMs = at(3, 13);
    const record = await run(3);
    const report = rehearsalReport(record);
    expect(report).toContain('2026-01-08, 2026-01-09, 2026-01-12 (not consecutive: the sandbox is closed on');
    expect(rowsOf(report).map((row) => [row[0], row[1], row.at(-3), row.at(-1)])).toEqual([
      ['2026-01-08', '485', '13:00:06', '415 not running'],
      ['2026-01-09', '900', '07:00:26', 'none'],
      ['2026-01-12', '900', '07:00:26', 'none'],
    ]);
    expect(await counted()).toMatchObject({ total: 2_285, maxInAnySecond: 1 });
  },
  LONG_TEST_MS,
);

test('a spent quota pauses until midnight GMT, also where Ctrl-C and a restart lie within the pause', async () => {
  await control('PUT', 'limits', { callsPerDay: 100 });
  const stopping = new AbortController();
  events = [[at(0, 12), () => stopping.abort()]];
  const stopped = await run(1, (deps) => ({ ...deps, signal: stopping.signal }));
  expect(rehearsalReport(stopped)).toContain('Not finished: not each day has both 200 and 4xx.');
  expect(await counted()).toMatchObject({ total: 101 });
  await control('DELETE', 'calls');
  // 19:00 Eastern time, after which the sandbox has another hour.
  let isMidnight = false;
  events = [
    [
      at(0, 19),
      async () => {
        expect(await counted()).toMatchObject({ total: 0 });
        isMidnight = true;
      },
    ],
  ];
  const [day] = (await run(1)).days;
  expect(isMidnight).toBe(true);
  expect(await counted()).toMatchObject({ total: 69 });
  expect(day?.calls).toMatchObject({ 429: 1 });
});

test('keys that are refused at the beginning end it without a call', async () => {
  agency.acceptClients({ ...KEYS, clientSecret: 'another' });
  await expect(run(1)).rejects.toThrow('The agency refuses the keys');
  expect(await counted()).toMatchObject({ total: 0 });
  expect(readdirSync(folder)).toEqual([]);
});

test('Ctrl-C before the first call leaves no record, so that the days are chosen anew', async () => {
  await run(1, (deps) => ({ ...deps, signal: AbortSignal.abort() }));
  expect(readdirSync(folder)).toEqual([]);
});

test('of two rehearsals on one record the later one to write ends before its call', async () => {
  const plan = { baseUrl: agency.url, demoId: '1234', days: 1, callsPerDay: 900 };
  const other = openRecord(path.join(folder, 'record.json'), plan, () => ['2026-01-05']);
  other.record.pausedUntilMs = 1;
  events = [[at(0, 8), () => other.save()]];
  await expect(run(1)).rejects.toThrow('does another rehearsal run on it?');
});

test('every known receipt number is one that the sandbox publishes', () => {
  expect([...KNOWN].sort()).toEqual([...WITH_HISTORY].sort());
});

test.each([
  ['a Monday before it opens', '2026-01-05T06:00:00-05:00', ['2026-01-05', '2026-01-06', '2026-01-07'], true],
  ['before half past one', '2026-01-05T13:29:59-05:00', ['2026-01-05', '2026-01-06', '2026-01-07'], true],
  ['from half past one', '2026-01-05T13:30:00-05:00', ['2026-01-06', '2026-01-07', '2026-01-08'], true],
  ['a Friday evening', '2026-01-09T23:59:00-05:00', ['2026-01-12', '2026-01-13', '2026-01-14'], true],
  ['a Friday in summer', '2026-07-10T13:29:00-04:00', ['2026-07-10', '2026-07-13', '2026-07-14'], false],
  ['a Sunday', '2026-03-08T12:00:00-04:00', ['2026-03-09', '2026-03-10', '2026-03-11'], true],
])('begun on %s, the open days are found', (_name, begun, days, consecutive) => {
  expect(nextOpenDays(3, Date.parse(begun))).toEqual(days);
  expect(areConsecutive(days)).toBe(consecutive);
});

test('the sandbox opens at 7:00 Eastern time in winter and in summer', () => {
  expect(new Date(opensMs('2026-03-06')).toISOString()).toBe('2026-03-06T12:00:00.000Z');
  expect(new Date(opensMs('2026-03-09')).toISOString()).toBe('2026-03-09T11:00:00.000Z');
});

const settings = (url = agency.url) => ({
  AGENCY_BASE_URL: url,
  AGENCY_CLIENT_ID: KEYS.clientId,
  AGENCY_CLIENT_SECRET: KEYS.clientSecret,
});
const start = (words: string, env: Record<string, string> = {}) =>
  startCommand(folder, 'scripts/agency-rehearse.ts', words.split(' '), { ...settings(), ...env });

test.each<[string, Record<string, string>, number, string]>([
  ['--help', {}, 0, "share the sandbox's quota"],
  ['--calls-per-day=900', {}, 2, '--days is a whole number, 1 to 31'],
  ['--days=0', {}, 2, '--days is a whole number, 1 to 31'],
  ['--days=32', {}, 2, '--days is a whole number, 1 to 31'],
  ['--days=5 --calls-per-day=9', {}, 2, '--calls-per-day is a whole number, 10 or more'],
  ['--days=5 --calls-per-day=801', { AGENCY_CALLS_PER_DAY: '800' }, 2, '--calls-per-day is at most 800'],
  ['--days=5 --calls-per-day=1001', { AGENCY_CALLS_PER_DAY: '9999' }, 2, '--calls-per-day is at most 1000'],
  ['--days=5', { AGENCY_BASE_URL: 'https://api.uscis.gov' }, 1, 'rehearse at the sandbox only'],
  ['--days=5', { AGENCY_BASE_URL: 'http://api-int.uscis.gov' }, 1, 'rehearse at the sandbox only'],
  [
    '--days=5',
    { AGENCY_BASE_URL: 'https://api-int.uscis.gov.example.org' },
    1,
    'rehearse at the sandbox only',
  ],
  ['--days=5', { AGENCY_CLIENT_ID: '' }, 1, 'AGENCY_CLIENT_ID: must be set'],
  ['--days=5', { AGENCY_CLIENT_SECRET: '' }, 1, 'AGENCY_CLIENT_SECRET: must be set'],
  ['--days=5', { AGENCY_DEMO_ID: '12' }, 1, 'AGENCY_DEMO_ID: must be 4 digits'],
  ['--days=5 --record=other.json', {}, 1, 'is the record of another plan'],
  ['--days=5 --record=broken.json', {}, 1, 'is not the record of a rehearsal'],
])('%s with %j ends with %i and says: %s', async (words, env, code, said) => {
  const plan = { baseUrl: agency.url, demoId: '', days: 4, callsPerDay: 900 };
  openRecord(path.join(folder, 'other.json'), plan, () => ['2026-01-05']).save();
  writeFileSync(path.join(folder, 'broken.json'), '{"plan":');
  const run = start(words, env);
  expect(await run.code).toBe(code);
  expect(run.output()).toContain(said);
  expect(await counted()).toMatchObject({ total: 0 });
});

/** Lets a program's time begin on a Monday morning, and run 500 times as fast where it waits for long. */
const FAST = `const began = Date.now(), wait = setTimeout;
Date.now = (now => () => Date.parse(process.env.BEGINS) + (now() - began) * 500)(Date.now);
globalThis.setTimeout = (run, ms, ...more) => wait(run, ms > 9000 ? ms / 500 : ms, ...more);`;

const fast = (begins: string, env: Record<string, string> = {}) =>
  start('--days=1', {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAST)}`,
    BEGINS: begins,
    ...env,
  });

test(
  'every call carries the demo_id and the further headers of the settings, and the malformed number is really sent',
  async () => {
    const seen: { url: string | undefined; sent: IncomingHttpHeaders }[] = [];
    const server = await listen(
      ({ url, headers }, response) => {
        seen.push({ url, sent: headers });
        response.writeHead(200).end('{"access_token":"token","expires_in":"1799"}');
      },
      { host: '127.0.0.1', port: 0 },
    );
    const settingsOfCalls = { AGENCY_DEMO_ID: '4711', AGENCY_HEADERS: '{"X-Request-Source":"rehearsal"}' };
    const command = fast('2026-01-05T08:00:00-05:00', { ...settings(server.url), ...settingsOfCalls });
    await until(() => seen.some(({ url }) => url === '/case-status/EAC999910340') || undefined);
    command.child.kill('SIGTERM');
    await command.code;
    await server.drain();
    expect(command.output()).toContain('`demo_id`: 4711');
    expect(seen[0]?.url).toBe('/oauth/accesstoken');
    for (const { sent } of seen)
      expect(sent).toMatchObject({ demo_id: '4711', 'x-request-source': 'rehearsal' });
  },
  LONG_TEST_MS,
);

test(
  'the command that is killed continues where it was, and ends at Ctrl-C with a report of all its calls',
  async () => {
    await control('PUT', 'limits', { openingHours: 'always', callsPerSecond: 1_000 });
    const callsFrom = async (before: number) =>
      until(async () => (await counted()).total >= before || undefined);
    const killed = fast('2026-01-05T08:00:00-05:00');
    await callsFrom(20);
    killed.child.kill('SIGKILL');
    await killed.code;
    const before = (await counted()).total;
    const resumed = fast('2026-01-05T12:00:00-05:00');
    await callsFrom(before + 20);
    resumed.child.kill('SIGINT');
    resumed.child.kill('SIGINT');
    expect(await resumed.code).toBe(1);
    const [row] = rowsOf(resumed.output());
    expect(resumed.output()).toContain('Not finished');
    // Killed between the note and the sending, it has noted one that the agency has not seen.
    const isNoted = resumed.output().includes('| answer not recorded |');
    const { total } = await counted();
    expect([total, isNoted ? total + 1 : total]).toContain(Number(row?.[1]));
    expect(row?.at(-1)).toMatch(/^\d+ not running, \d+ to come$/);
  },
  LONG_TEST_MS,
);
