import { caseWatchChanged } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createOutboxBus } from '@casewatch/testing/outbox-bus';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const bus = createOutboxBus(systemClock);
const KEPT = 'EAC9999103403';
const NEW = 'SRC2190010002';
let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases({ bus });
  await cases.save(KEPT, PAT, { monitoringFrequency: 'daily' });
});
beforeEach(() => {
  bus.isBroken = true;
});
afterAll(() => cases.stop());

const watched = async () =>
  (await cases.saved(PAT)).map(({ receiptNumber, monitoringFrequency }) => [
    receiptNumber,
    monitoringFrequency,
  ]);

test.each([
  ['a new frequency', () => cases.change(KEPT, { monitoringFrequency: 'weekly' }, PAT)],
  ['a watched case that is saved', () => cases.save(NEW, PAT, { monitoringFrequency: 'daily' })],
  ['the removal of a watched case', () => cases.remove(KEPT, PAT)],
])('%s whose event cannot be written is refused and changes nothing', async (_what, change) => {
  const answer = await change();
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'INTERNAL' }]);
  expect(await watched()).toEqual([[KEPT, 'daily']]);
  bus.isBroken = false;
  expect(await cases.eventsOf(caseWatchChanged)).toHaveLength(1);
});
