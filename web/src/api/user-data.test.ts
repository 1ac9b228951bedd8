import type { User } from '@casewatch/contracts/identity';
import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { notifyOtherTabs } from './other-tabs.ts';
import { createQueryClient } from './query-client.ts';
import { endSession, enterAs, forgetUser, hasEnded, meQueryKey, readUnlessSignedOut } from './user-data.ts';

const ADA: User = {
  id: '11111111-1111-4111-8111-111111111111',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.test',
  role: null,
  tier: 'free',
  emailVerified: true,
  language: null,
};
const GRACE: User = { ...ADA, id: '22222222-2222-4222-8222-222222222222', firstName: 'Grace' };
const SAVED = ['saved-cases'];

const refusal = (status: number, code: string) =>
  new ApiError({
    status,
    text: JSON.stringify({ error: 'No.', code }),
    statusText: '',
    retryAfterSeconds: undefined,
  });

test('a sign-out leaves nothing of the user in memory', () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  client.setQueryData(SAVED, ['a case']);
  forgetUser(client);
  expect(client.getQueryData(meQueryKey)).toBeNull();
  expect(client.getQueryData(SAVED)).toBeUndefined();
});

test('the next user to sign in finds nothing of the user before', () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  client.setQueryData(SAVED, ['a case']);
  enterAs(client, GRACE);
  expect(client.getQueryData(meQueryKey)).toEqual(GRACE);
  expect(client.getQueryData(SAVED)).toBeUndefined();
});

test('a read that meets a 401 ends the session and keeps what is shown, and every failure is thrown', async () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  client.setQueryData(SAVED, ['a case']);
  const failing = (error: ApiError) => readUnlessSignedOut(client, () => Promise.reject(error));
  await expect(failing(refusal(500, 'INTERNAL'))).rejects.toBeInstanceOf(ApiError);
  expect(hasEnded(client)).toBe(false);
  await expect(failing(refusal(401, 'SIGNED_OUT'))).rejects.toBeInstanceOf(ApiError);
  expect(hasEnded(client)).toBe(true);
  expect(client.getQueryData(meQueryKey)).toEqual(ADA);
  expect(client.getQueryData(SAVED)).toEqual(['a case']);
});

test('a write that finds the session ended signs out; wrong credentials do not', async () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  const write = (error: ApiError) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: () => Promise.reject(error) })
      .execute(undefined)
      .catch(() => undefined);
  await write(refusal(401, 'INVALID_CREDENTIALS'));
  expect(hasEnded(client)).toBe(false);
  await write(refusal(401, 'SIGNED_OUT'));
  expect(hasEnded(client)).toBe(true);
});

test('after an ended session the same user continues with fresh data, another user begins anew', () => {
  for (const [user, kept] of [
    [ADA, ['a case']],
    [GRACE, undefined],
  ] as const) {
    const client = createQueryClient();
    enterAs(client, ADA);
    client.setQueryData(SAVED, ['a case']);
    endSession(client);
    enterAs(client, user);
    expect(hasEnded(client)).toBe(false);
    expect(client.getQueryData(meQueryKey)).toEqual(user);
    expect(client.getQueryData(SAVED)).toEqual(kept);
    expect(client.getQueryState(SAVED)?.isInvalidated ?? true).toBe(true);
  }
});

test('a session that ended here continues when the same user signs in in another tab', async () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  endSession(client);
  notifyOtherTabs(ADA.id);
  await expect.poll(() => hasEnded(client)).toBe(false);
  expect(client.getQueryData(meQueryKey)).toEqual(ADA);
});

test('a sign-out in one tab is followed by the others', async () => {
  const other = createQueryClient();
  enterAs(other, ADA);
  other.setQueryData(SAVED, ['a case']);
  notifyOtherTabs(null);
  await expect.poll(() => other.getQueryData(meQueryKey)).toBeNull();
  expect(other.getQueryData(SAVED)).toBeUndefined();
});

test('a sign-in of another user in another tab ends what this tab shows, and the same user changes nothing', async () => {
  const [same, different] = [createQueryClient(), createQueryClient()];
  enterAs(same, GRACE);
  same.setQueryData(SAVED, ["Grace's case"]);
  enterAs(different, ADA);
  notifyOtherTabs(GRACE.id);
  await expect.poll(() => different.getQueryData(meQueryKey)).toBeNull();
  expect(same.getQueryData(meQueryKey)).toEqual(GRACE);
  expect(same.getQueryData(SAVED)).toEqual(["Grace's case"]);
});
