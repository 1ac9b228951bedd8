import { createManualClock } from '@casewatch/testing/manual-clock';
import { describe } from 'vitest';
import { describeBudget, LATE_EVENING } from '../../test/budget-contract.ts';
import { ledgerInMemory } from '../../test/ledger-in-memory.ts';
import { createDayQuota } from './day-quota.ts';
import { createMemoryBudget } from './memory-budget.ts';

describe('a budget in memory', () => {
  describeBudget(async ({ callsPerSecond = 5, callsPerDay = 1_000_000 }) => {
    const clock = createManualClock(LATE_EVENING);
    const ledger = ledgerInMemory();
    const quota = createDayQuota({ clock, callsPerDay, ledger });
    return { budget: createMemoryBudget({ clock, callsPerSecond, quota }), ledger, pass: clock.advance };
  });
});
