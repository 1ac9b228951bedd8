import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { expect, test } from 'vitest';
import { ADA, BOB, PAT, startCases } from './cases-fixture.ts';

const receipt = (nth: number) => `SRC${String(3_000_000_000 + nth)}`;

test('30 parallel loops of a free user over distinct receipt numbers make no lookup of another user fail', async () => {
  const cases = await startCases({
    clock: systemClock,
    env: { AGENCY_CALLS_PER_SECOND: '10', FRESHNESS_SECONDS: '0' },
  });
  let going = true;
  let asked = 0;
  const statuses = new Set<number>();
  const loops = Array.from({ length: 30 }, async () => {
    while (going) statuses.add((await cases.lookUp(receipt(asked++), ADA)).status);
  });
  for (const nth of ['03', '04', '05']) {
    const [pro, free] = await Promise.all([
      cases.lookUp(`EAC99991034${nth}`, PAT),
      cases.lookUp(`EAC99991034${nth}`, BOB),
    ]);
    expect([pro.status, free.status]).toEqual([200, 200]);
  }
  going = false;
  await Promise.all(loops);
  expect(statuses).not.toContain(500);
  await cases.stop();
}, 60_000);
