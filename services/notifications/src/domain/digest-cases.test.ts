import { randomUUID } from 'node:crypto';
import { CASE_NICKNAMES_MAX, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { type CaseOverview, listCaseOverviews } from '@casewatch/contracts/case-overviews';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { casesOfDigests } from './digest-cases.ts';

const [ADA, BOB] = [randomUUID(), randomUUID()];
const receipt = (nth: number) => `EAC${String(nth).padStart(10, '0')}`;
const overview = (userId: string, nth: number): CaseOverview => ({
  userId,
  receiptNumber: receipt(nth),
  nickname: null,
  formType: null,
  status: null,
  statusChangedAt: null,
  snoozedUntil: null,
});

/** Cases that answers with these overviews, and knows every other case; `asked` is what it was asked for. */
function createCases(overviews: readonly CaseOverview[]) {
  const asked: unknown[] = [];
  const services = createServiceClient({
    locate: () => ({
      kind: 'local',
      routes: [
        route(listCaseOverviews, async ({ body }) => {
          asked.push(body.userIds);
          return { body: { cases: [...overviews] } };
        }),
        route(listCaseNicknames, async ({ body }) => {
          asked.push(body.cases.map((one) => one.receiptNumber));
          const details = body.cases.map((one) => ({
            ...one,
            nickname: 'Mom',
            formType: null,
            snoozedUntil: null,
            archived: false,
          }));
          return { body: { nicknames: [], details } };
        }),
      ],
    }),
    internalSecret: 'unused',
  });
  return { parts: { services, logger: pino({ level: 'silent' }) }, asked };
}

test('changed cases that are in no overview are asked for, each once, and each user has their own', async () => {
  const { parts, asked } = createCases([overview(ADA, 1), overview(BOB, 2)]);
  const changed = [
    { userId: ADA, receiptNumber: receipt(1) },
    { userId: ADA, receiptNumber: receipt(2) },
    { userId: ADA, receiptNumber: receipt(2) },
  ];
  const casesOf = await casesOfDigests(parts, [ADA, BOB, ADA], changed);
  expect(asked).toEqual([[ADA, BOB], [receipt(2)]]);
  expect(casesOf?.(ADA)).toMatchObject({
    checked: [{ userId: ADA, receiptNumber: receipt(1) }],
    others: [{ userId: ADA, receiptNumber: receipt(2), nickname: 'Mom' }],
  });
  expect(casesOf?.(BOB)).toMatchObject({ checked: [{ receiptNumber: receipt(2) }], others: [] });
  expect(casesOf?.(randomUUID())).toEqual({ checked: [], others: [] });
});

test('of very many each is asked for, in requests that cases takes', async () => {
  const { parts, asked } = createCases([]);
  const changed = Array.from({ length: 2 * CASE_NICKNAMES_MAX + 1 }, (_, nth) => ({
    userId: ADA,
    receiptNumber: receipt(nth),
  }));
  const casesOf = await casesOfDigests(parts, [ADA], changed);
  expect(asked.slice(1).flat()).toEqual(changed.map(({ receiptNumber }) => receiptNumber));
  expect(casesOf?.(ADA).others).toHaveLength(changed.length);
});
