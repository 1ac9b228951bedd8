import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createPushComposer } from './compose-push.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const clock = createManualClock();
const { compose } = createPushComposer({ secret: 'unused', giveUpMs: 3_600_000, clock });

test.each([
  [null, 'January 9, 2026 (UTC)'],
  ['America/Los_Angeles', 'January 8, 2026'],
  ['Pacific/Auckland', 'January 9, 2026'],
])('of the plan it names the day in the time zone that its reader chose: %s', (timeZone, day) => {
  const push = compose(
    {
      id: ID,
      notificationId: ID,
      userId: ID,
      queuedAtMs: clock.nowMs(),
      attempts: 1,
      createdAt: new Date(clock.nowMs()),
      superseded: false,
      subject: {
        kind: 'plan',
        milestone: 'trial-ending',
        reason: null,
        effectiveAt: new Date('2026-01-09T01:00:00Z'),
      },
      settings: { ...DEFAULT_NOTIFICATION_SETTINGS, timeZone },
      device: {
        id: ID,
        endpoint: 'https://push.example.com/1',
        p256dh: '',
        auth: '',
        publicKey: '',
        showReceiptNumbers: false,
        language: 'en',
      },
    },
    {},
  );
  expect(JSON.parse(push.payload)).toMatchObject({
    title: `Your free trial ends on ${day}`,
    text: `The first payment is taken on ${day}, and Pro continues. Cancel before then and you pay nothing.`,
  });
});
