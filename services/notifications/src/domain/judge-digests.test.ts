import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listCaseOverviews } from '@casewatch/contracts/case-overviews';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { CHANGES_PER_DIGEST, type DigestChange, type DueDigest } from './digests.ts';
import { judgeDigests } from './judge-digests.ts';

const clock = createManualClock();
const SNOOZED = 'EAC9999103404';
const digest: DueDigest = {
  id: 'd',
  queuedAtMs: clock.nowMs(),
  attempts: 1,
  userId: '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11',
  kind: 'daily',
  period: '2026-01-05',
  settings: DEFAULT_NOTIFICATION_SETTINGS,
};
const change = (receiptNumber: string): DigestChange => ({
  digestId: 'd',
  notificationId: `of ${receiptNumber}`,
  receiptNumber,
  oldStatus: null,
  newStatus: 'Case Was Received',
  newestStatus: 'Case Was Received',
  createdAt: new Date(clock.nowMs()),
});

test.each([
  ['as many changes as it has room for', CHANGES_PER_DIGEST, true],
  ['fewer changes', CHANGES_PER_DIGEST - 1, false],
])(
  'a digest that took %s says whether there may be more, also where some are put back',
  async (_, taken, isFull) => {
    const changes = [...Array.from({ length: taken - 1 }, () => change('EAC9999103403')), change(SNOOZED)];
    const putBack: string[] = [];
    const services = createServiceClient({
      locate: () => ({
        kind: 'local',
        routes: [
          route(listCaseOverviews, async () => ({ body: { cases: [] } })),
          route(listCaseNicknames, async ({ body }) => {
            const details = body.cases.map((one) => ({
              ...one,
              nickname: null,
              formType: null,
              snoozedUntil:
                one.receiptNumber === SNOOZED ? new Date(clock.nowMs() + 1_000).toISOString() : null,
              archived: false,
            }));
            return { body: { nicknames: [], details } };
          }),
        ],
      }),
      internalSecret: 'unused',
    });
    const log = {
      changesOf: async () => changes,
      putBack: async (held: readonly { notificationId: string }[]) =>
        void putBack.push(...held.map(({ notificationId }) => notificationId)),
    };
    const rules = { isReported: () => true, isOverview: () => false, reasonOf: () => 'nothing-changed' };
    const parts = { log, services, clock, logger: pino({ level: 'silent' }) };
    const { ready } = await judgeDigests(parts, [digest], rules);
    expect(ready).toMatchObject([
      { due: digest, message: { isFull, changed: [{ receiptNumber: 'EAC9999103403' }] } },
    ]);
    expect(putBack).toEqual([`of ${SNOOZED}`]);
  },
);
