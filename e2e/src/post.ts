import { type APIRequestContext, expect } from '@playwright/test';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** Posts as the page itself would, with the caller's cookies, and gives the answer. */
export async function post<Answer>(caller: APIRequestContext, path: string, data?: unknown): Promise<Answer> {
  const answer = await caller.post(path, { ...(data === undefined ? {} : { data }), headers: SAME_ORIGIN });
  expect(answer.ok(), `${path} answered ${answer.status()}: ${await answer.text()}`).toBe(true);
  return answer.json();
}
