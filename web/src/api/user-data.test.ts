import type { User } from '@casewatch/contracts/identity';
import { expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { createQueryClient } from './query-client.ts';
import { readUnlessSignedOut } from './read-unless-signed-out.ts';
import { enterAs, forgetUser, meQueryKey } from './user-data.ts';

const ADA: User = {
  id: '11111111-1111-4111-8111-111111111111',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.test',
  role: null,
  tier: 'free',
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

test('whoever signs in next finds nothing of the user before', () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  client.setQueryData(SAVED, ['a case']);
  enterAs(client, GRACE);
  expect(client.getQueryData(meQueryKey)).toEqual(GRACE);
  expect(client.getQueryData(SAVED)).toBeUndefined();
});

test('a read that meets a 401 gives null and signs out, and any other failure is thrown', async () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  const failing = (error: ApiError) => readUnlessSignedOut(client, () => Promise.reject(error));
  await expect(failing(refusal(500, 'INTERNAL'))).rejects.toBeInstanceOf(ApiError);
  expect(client.getQueryData(meQueryKey)).toEqual(ADA);
  await expect(failing(refusal(401, 'SIGNED_OUT'))).resolves.toBeNull();
  expect(client.getQueryData(meQueryKey)).toBeNull();
});

test('a write that finds the session gone signs out; wrong credentials do not', async () => {
  const client = createQueryClient();
  enterAs(client, ADA);
  const write = (error: ApiError) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: () => Promise.reject(error) })
      .execute(undefined)
      .catch(() => undefined);
  await write(refusal(401, 'INVALID_CREDENTIALS'));
  expect(client.getQueryData(meQueryKey)).toEqual(ADA);
  await write(refusal(401, 'SIGNED_OUT'));
  expect(client.getQueryData(meQueryKey)).toBeNull();
});

test('a sign-out in one tab is followed by the others', async () => {
  const other = createQueryClient();
  enterAs(other, ADA);
  other.setQueryData(SAVED, ['a case']);
  tellOtherTabs(null);
  await vi.waitFor(() => expect(other.getQueryData(meQueryKey)).toBeNull());
  expect(other.getQueryData(SAVED)).toBeUndefined();
});

test('a sign-in of somebody else in another tab ends what this tab shows, and the same user changes nothing', async () => {
  const [same, different] = [createQueryClient(), createQueryClient()];
  enterAs(same, GRACE);
  same.setQueryData(SAVED, ["Grace's case"]);
  enterAs(different, ADA);
  tellOtherTabs(GRACE.id);
  await vi.waitFor(() => expect(different.getQueryData(meQueryKey)).toBeNull());
  expect(same.getQueryData(meQueryKey)).toEqual(GRACE);
  expect(same.getQueryData(SAVED)).toEqual(["Grace's case"]);
});
