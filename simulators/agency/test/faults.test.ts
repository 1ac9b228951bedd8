import { describe, expect, it } from 'vitest';
import { endlessBody, HOSTILE_MODES } from '../src/hostile-reply.ts';
import { requestToken, startAgency } from './start-agency.ts';

const EVEN = 'WAC2190000000';
const OTHER = 'WAC2190000002';

describe('a fault', () => {
  it.each([
    ['unauthorized', 401, { code: 401, message: 'Invalid Access Token' }],
    ['not-found', 404, { message: expect.stringContaining('does not recognize') }],
    ['refused', 422, { message: expect.stringContaining('13 characters') }],
    ['rate-limited', 429, { message: 'Spike Arrest Violation' }],
    ['unavailable', 503, { error: { code: '503', message: 'Service Unavailable' } }],
  ])('%s answers %i in its usual shape', async (mode, status, body) => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode });
    const answer = await agency.ask(EVEN);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(body);
  });

  it.each([
    ['flat', { code: 503, message: 'Service Unavailable' }],
    ['message', { message: 'Service Unavailable' }],
    ['nested', { error: { code: '503', message: 'Service Unavailable' } }],
    [
      'list',
      { errors: [expect.objectContaining({ code: '503', message: 'Service Unavailable', status: '503' })] },
    ],
  ])('can have its error in the %s shape', async (shape, body) => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'unavailable', shape });
    expect(await (await agency.ask(EVEN)).json()).toEqual(body);
  });

  it('invalid-json answers 200 with JSON that does not parse', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'invalid-json' });
    const answer = await agency.ask(EVEN);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  it('changed-shape answers 200 with valid JSON that lacks case_status', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'changed-shape' });
    const answer = await agency.ask(EVEN);
    expect(answer.status).toBe(200);
    const body = await answer.json();
    expect(body).not.toHaveProperty('case_status');
    expect(body).toHaveProperty('caseStatus.status.title');
  });

  it('html answers 200 with a page', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'html' });
    const answer = await agency.ask(EVEN);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toMatch(/^<!DOCTYPE html>/);
  });

  it('reset cuts the connection', async () => {
    await using agency = await startAgency();
    await agency.token();
    await agency.control('PUT', '/faults', { mode: 'reset' });
    await expect(agency.ask(EVEN)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  it('timeout never answers, leaves other calls alone, and ends with the simulator', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'timeout', receiptNumber: EVEN });
    let ended = false;
    const held = agency.ask(EVEN).then(
      () => 'answered',
      () => {
        ended = true;
        return 'cut';
      },
    );
    expect((await agency.ask(OTHER)).status).toBe(200);
    await agency.clock.advance(86_400_000);
    expect(ended).toBe(false);
    await agency.stop();
    expect(await held).toBe('cut');
  });

  it.each(HOSTILE_MODES.filter((mode) => !['endless', 'huge-headers'].includes(mode)))(
    '%s answers 200 about this very case, in a way of its own',
    async (mode) => {
      await using agency = await startAgency();
      const truth = await (await agency.ask(EVEN)).text();
      await agency.control('PUT', '/faults', { mode });
      const answer = await agency.ask(EVEN);
      expect(answer.status).toBe(200);
      const body = await answer.text();
      expect(body).toContain(EVEN);
      expect(body).not.toBe(truth);
    },
  );

  it('huge-headers answers with more headers than clients read', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'huge-headers' });
    await expect(agency.ask(EVEN)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_OVERFLOW' } });
  });

  it('endless sends until its reader leaves or the simulator stops', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'endless' });
    const reader = (await agency.ask(EVEN)).body?.getReader();
    let bytes = 0;
    while (bytes < 1_000_000) bytes += (await reader?.read())?.value?.length ?? 0;
    await agency.stop();
    await expect(
      (async () => {
        for (;;) if ((await reader?.read())?.done) return 'ended';
      })(),
    ).rejects.toThrow();
  });

  it('endless gives its reader a turn with every chunk, however fast it is read', async () => {
    const body = endlessBody();
    let chunks = 0;
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    body.on('data', () => {
      chunks += 1;
    });
    for (let n = 0; n < 50; n += 1) await turn();
    body.destroy();
    expect(chunks).toBeGreaterThan(10);
    expect(chunks).toBeLessThanOrEqual(52);
  });

  it('slow answers rightly, after its delay', async () => {
    await using agency = await startAgency();
    const token = await agency.token();
    await agency.control('PUT', '/faults', { mode: 'slow', delayMs: 7_000 });
    let answered = false;
    const slow = agency.ask(EVEN, token).then((answer) => {
      answered = true;
      return answer.status;
    });
    await expect.poll(async () => (await agency.control('GET', '/calls')).json()).toMatchObject({ total: 1 });
    await agency.clock.advance(6_999);
    await agency.control('GET', '');
    expect(answered).toBe(false);
    await agency.clock.advance(1);
    expect(await slow).toBe(200);
  });

  it('lasts for as many calls as it says, then the truth returns', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'unavailable', count: 2 });
    expect((await agency.ask(EVEN)).status).toBe(503);
    expect((await agency.ask(OTHER)).status).toBe(503);
    expect((await agency.ask(EVEN)).status).toBe(200);
  });

  it('of one receipt number meets only that, and goes before the one for all', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'unavailable', receiptNumber: EVEN, count: 1 });
    expect((await agency.ask(OTHER)).status).toBe(200);
    await agency.control('PUT', '/faults', { mode: 'refused' });
    expect((await agency.ask(EVEN)).status).toBe(503);
    expect((await agency.ask(EVEN)).status).toBe(422);
  });

  it('ends with none: all of them, or one receipt number’s', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', '/faults', { mode: 'unavailable', receiptNumber: EVEN });
    await agency.control('PUT', '/faults', { mode: 'unavailable', receiptNumber: OTHER });
    await agency.control('PUT', '/faults', { mode: 'none', receiptNumber: EVEN });
    expect((await agency.ask(EVEN)).status).toBe(200);
    expect((await agency.ask(OTHER)).status).toBe(503);
    await agency.control('PUT', '/faults', { mode: 'none' });
    expect((await agency.ask(OTHER)).status).toBe(200);
  });

  it('can strike the token endpoint alone', async () => {
    await using agency = await startAgency();
    const token = await agency.token();
    await agency.control('PUT', '/faults', { mode: 'unavailable', endpoint: 'token', count: 1 });
    expect((await agency.ask(EVEN, token)).status).toBe(200);
    expect((await requestToken(agency.url)).status).toBe(503);
    expect((await requestToken(agency.url)).status).toBe(200);
    await agency.control('PUT', '/faults', { mode: 'unauthorized', endpoint: 'token' });
    expect(await (await requestToken(agency.url)).json()).toEqual({
      code: 401,
      message: 'Invalid Client Credentials',
    });
    await agency.control('PUT', '/faults', { mode: 'invalid-json', endpoint: 'token' });
    await expect((await requestToken(agency.url)).json()).rejects.toThrow(SyntaxError);
  });

  it('uses up no limit', async () => {
    await using agency = await startAgency({ callsPerSecond: 1 });
    await agency.control('PUT', '/faults', { mode: 'html', count: 3 });
    for (let call = 0; call < 3; call += 1) expect((await agency.ask(EVEN)).status).toBe(200);
    expect((await agency.ask(EVEN)).status).toBe(200);
    expect((await agency.ask(EVEN)).status).toBe(429);
  });
});
