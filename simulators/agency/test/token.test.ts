import { describe, expect, it } from 'vitest';
import { CLIENT, OPEN_MONDAY_MS, requestToken, startAgency } from './start-agency.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;
const RECEIPT = 'EAC9999103403';

describe('the token endpoint', () => {
  it('answers client credentials with a token, its times written as texts', async () => {
    await using agency = await startAgency();
    const answer = await requestToken(agency.url);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      access_token: expect.stringMatching(/^\S{20,}$/),
      token_type: 'BearerToken',
      expires_in: '1799',
      issued_at: String(OPEN_MONDAY_MS),
      status: 'approved',
      client_id: CLIENT.clientId,
    });
  });

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401],
    ['a wrong client', { client_id: 'someone' }, 401],
    ['another grant', { grant_type: 'password' }, 400],
  ])('gives no token for %s', async (_what, changed, status) => {
    await using agency = await startAgency();
    const form = {
      grant_type: 'client_credentials',
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
      ...changed,
    };
    const answer = await requestToken(agency.url, form);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ code: status, message: expect.any(String) });
  });

  it('takes form-encoded requests only, by POST only, of at most 100 kB', async () => {
    await using agency = await startAgency();
    const url = `${agency.url}/oauth/accesstoken`;
    const json = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
    expect((await fetch(url, json)).status).toBe(400);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(100_001) })).status).toBe(413);
  });
});

describe('a token', () => {
  it('is good for half an hour of the clock and not a millisecond longer', async () => {
    await using agency = await startAgency();
    const token = await agency.token();
    await agency.clock.advance(HALF_AN_HOUR_MS - 1);
    expect((await agency.ask(RECEIPT, token)).status).toBe(200);
    await agency.clock.advance(1);
    const late = await agency.ask(RECEIPT, token);
    expect(late.status).toBe(401);
    expect(await late.json()).toEqual({ code: 401, message: 'Invalid Access Token' });
    expect((await agency.ask(RECEIPT, await agency.token())).status).toBe(200);
  });

  it('expires when the clock is moved through the control API', async () => {
    await using agency = await startAgency();
    const token = await agency.token();
    await agency.control('POST', '/clock', { advanceMs: HALF_AN_HOUR_MS });
    expect((await agency.ask(RECEIPT, token)).status).toBe(401);
  });

  it('is needed: none, an unknown one and another scheme are refused', async () => {
    await using agency = await startAgency();
    const url = `${agency.url}/case-status/${RECEIPT}`;
    const token = await agency.token();
    expect((await fetch(url)).status).toBe(401);
    expect((await agency.ask(RECEIPT, 'made-up')).status).toBe(401);
    expect((await fetch(url, { headers: { Authorization: `Basic ${token}` } })).status).toBe(401);
  });

  it('ends for everyone when tokens are revoked', async () => {
    await using agency = await startAgency();
    const token = await agency.token();
    expect((await agency.control('DELETE', '/tokens')).status).toBe(204);
    expect((await agency.ask(RECEIPT, token)).status).toBe(401);
  });

  it('stays good while others are issued', async () => {
    await using agency = await startAgency();
    const first = await agency.token();
    const second = await agency.token();
    expect(second).not.toBe(first);
    expect((await agency.ask(RECEIPT, first)).status).toBe(200);
  });
});
