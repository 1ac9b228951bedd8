import { describe, expect, it } from 'vitest';
import { startAgencySimulator } from '../src/agency-simulator.ts';
import { type AgencyUnderTest, CLIENT, startAgency } from './start-agency.ts';

const EVEN = 'WAC2190000000';

/** The statuses of `count` calls in a row. */
async function askTimes(agency: AgencyUnderTest, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const answer = await agency.ask(EVEN);
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

describe('the limit per second', () => {
  it('admits the allowed number of calls and refuses the next with a message alone and no Retry-After', async () => {
    await using agency = await startAgency({ callsPerSecond: 5 });
    expect(await askTimes(agency, 5)).toEqual([200, 200, 200, 200, 200]);
    const refused = await agency.ask(EVEN);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(await refused.json()).toEqual({ message: 'Spike Arrest Violation' });
  });

  it('holds in every window of a second, not only in whole seconds', async () => {
    await using agency = await startAgency({ callsPerSecond: 2 });
    await agency.clock.advance(900);
    expect(await askTimes(agency, 1)).toEqual([200]);
    await agency.clock.advance(200);
    expect(await askTimes(agency, 2)).toEqual([200, 429]);
    await agency.clock.advance(799);
    expect(await askTimes(agency, 1)).toEqual([429]);
    await agency.clock.advance(1);
    expect(await askTimes(agency, 2)).toEqual([200, 429]);
  });

  it('is not used up by calls that were refused', async () => {
    await using agency = await startAgency({ callsPerSecond: 1 });
    expect(await askTimes(agency, 4)).toEqual([200, 429, 429, 429]);
    await agency.clock.advance(1_000);
    expect(await askTimes(agency, 1)).toEqual([200]);
  });
});

describe('the limits', () => {
  it('are 5 calls a second and a million a day, at any hour, by default', async () => {
    const simulator = await startAgencySimulator({ ...CLIENT, control: true });
    const overview = await (await fetch(`${simulator.url}/__control`)).json();
    await simulator.stop();
    expect(overview).toMatchObject({
      limits: { callsPerSecond: 5, callsPerDay: 1_000_000, openingHours: 'always' },
    });
  });
});

describe('the daily quota', () => {
  it('refuses when it is spent and starts anew at midnight GMT', async () => {
    await using agency = await startAgency({ callsPerDay: 3 });
    expect(await askTimes(agency, 4)).toEqual([200, 200, 200, 429]);
    const untilMidnight = Date.parse('2026-01-06T00:00:00Z') - agency.clock.nowMs();
    await agency.control('POST', '/clock', { advanceMs: untilMidnight - 1 });
    await agency.control('DELETE', '/tokens');
    const late = await agency.ask(EVEN, await agency.token());
    expect(late.status).toBe(429);
    expect(await late.json()).toEqual({ message: 'Quota Limit Exceeded' });
    await agency.control('POST', '/clock', { advanceMs: 1 });
    expect((await agency.ask(EVEN, await agency.token())).status).toBe(200);
  });
});

describe('the opening hours', () => {
  const cases: [string, number][] = [
    ['2026-01-05T11:59:59Z', 503],
    ['2026-01-05T12:00:00Z', 200],
    ['2026-01-10T00:59:59Z', 200],
    ['2026-01-10T01:00:00Z', 503],
    ['2026-01-10T17:00:00Z', 503],
    ['2026-01-11T17:00:00Z', 503],
    ['2026-07-06T11:00:00Z', 200],
  ];
  it.each(cases)('of the sandbox, at %s: %i', async (time, status) => {
    await using agency = await startAgency({ openingHours: 'sandbox' });
    const ahead = Date.parse(time) - agency.clock.nowMs();
    // Times before the clock's start: the same time a year of whole weeks later.
    await agency.clock.advance(ahead >= 0 ? ahead : ahead + 364 * 86_400_000);
    const answer = await agency.ask(EVEN);
    expect(answer.status).toBe(status);
    if (status === 503) {
      const text = await answer.text();
      expect(text).toMatch(/^\n\n/);
      expect(JSON.parse(text)).toEqual({
        error: { code: '503', message: expect.stringContaining('7:00AM EST') },
      });
    }
  });

  it('do not apply unless enabled', async () => {
    await using agency = await startAgency();
    await agency.clock.advance(5 * 86_400_000);
    expect((await agency.ask(EVEN)).status).toBe(200);
  });
});

describe('PUT /__control/limits', () => {
  it('changes what it names, keeps the rest, and does not forget what was used', async () => {
    await using agency = await startAgency({ callsPerSecond: 10, callsPerDay: 100 });
    expect(await askTimes(agency, 2)).toEqual([200, 200]);
    const changed = await agency.control('PUT', '/limits', { callsPerDay: 3 });
    expect(await changed.json()).toEqual({ callsPerSecond: 10, callsPerDay: 3, openingHours: 'always' });
    expect(await askTimes(agency, 2)).toEqual([200, 429]);
    await agency.control('PUT', '/limits', { callsPerDay: 100, callsPerSecond: 4 });
    expect(await askTimes(agency, 2)).toEqual([200, 429]);
    await agency.control('PUT', '/limits', { openingHours: 'sandbox' });
    await agency.control('POST', '/clock', { advanceMs: 12 * 3_600_000 });
    expect((await agency.ask(EVEN, await agency.token())).status).toBe(503);
  });
});
