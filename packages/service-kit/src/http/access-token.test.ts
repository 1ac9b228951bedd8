import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createTokenSource, type FreshToken, readTokenAnswer } from './access-token.ts';

function source(livesMs: number) {
  const clock = createManualClock();
  let requests = 0;
  const server = {
    answer: async (): Promise<FreshToken> => {
      requests += 1;
      return { token: `token ${requests}`, livesMs };
    },
  };
  const tokens = createTokenSource(clock, () => server.answer());
  return { clock, server, tokens };
}

test('a token is used until a minute before its end', async () => {
  const { clock, tokens } = source(600_000);
  expect(await tokens.get()).toBe('token 1');
  await clock.advance(539_999);
  expect(await tokens.get()).toBe('token 1');
  await clock.advance(1);
  expect(await tokens.get()).toBe('token 2');
});

test('a token is replaced before its end, also where the clock was set back', async () => {
  const { clock, tokens } = source(600_000);
  await tokens.get();
  await clock.jump(-3_600_000);
  expect(await tokens.get()).toBe('token 1');
  await clock.advance(540_000);
  expect(await tokens.get()).toBe('token 2');
});

test('a token that lives for less than two minutes is used for half its life', async () => {
  const { clock, tokens } = source(60_000);
  await tokens.get();
  await clock.advance(29_999);
  expect(await tokens.get()).toBe('token 1');
  await clock.advance(1);
  expect(await tokens.get()).toBe('token 2');
});

test('all that need a new token at the same time wait for one request, and share its failure', async () => {
  const { server, tokens } = source(600_000);
  expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['token 1', 'token 1']);
  const { answer } = server;
  server.answer = () => Promise.reject(new Error('down'));
  tokens.refused('token 1');
  const failed = await Promise.allSettled([tokens.get(), tokens.get()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  server.answer = answer;
  expect(await tokens.get()).toBe('token 2');
});

test('a refused token is not used again; that an older one was refused changes nothing', async () => {
  const { tokens } = source(600_000);
  await tokens.get();
  tokens.refused('token 1');
  expect(await tokens.get()).toBe('token 2');
  tokens.refused('token 1');
  expect(await tokens.get()).toBe('token 2');
});

test.each([
  [
    { access_token: 'abc', expires_in: '1800' },
    { token: 'abc', livesMs: 1_800_000 },
  ],
  [
    { access_token: 'a'.repeat(8_192), expires_in: 2_592_000 },
    { token: 'a'.repeat(8_192), livesMs: 2_592_000_000 },
  ],
  [{ access_token: 'a'.repeat(8_193), expires_in: 60 }, undefined],
  [{ access_token: 'abc', expires_in: 2_592_001 }, undefined],
  [{ access_token: 'abc', expires_in: 0 }, undefined],
  [{ access_token: 'abc' }, undefined],
  [{ access_token: '', expires_in: 60 }, undefined],
  [{ access_token: 'two words', expires_in: 60 }, undefined],
  [{ expires_in: 60 }, undefined],
  ['abc', undefined],
])('the answer %j is read as %j', (answer, token) => {
  expect(readTokenAnswer(answer)).toEqual(token);
});
