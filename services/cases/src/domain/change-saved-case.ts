import type { SavedCase } from '@casewatch/contracts/cases';
import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import type { Caller } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { nicknameOf } from './nickname.ts';
import { proOnly } from './pro-required.ts';
import { notSaved } from './remove-saved-case.ts';
import type { SavedCaseChange, SavedCaseStore } from './saved-case-store.ts';

/**
 * Changes what is given and leaves the rest.
 * @throws AppError SAVED_CASE_NOT_FOUND, PRO_REQUIRED
 */
export async function changeSavedCase(
  { savedCases, clock }: { savedCases: SavedCaseStore; clock: Clock },
  { userId, tier }: Caller,
  receiptNumber: string,
  given: { nickname?: string | null | undefined; monitoringFrequency?: MonitoringFrequency | undefined },
): Promise<SavedCase> {
  const { nickname, monitoringFrequency } = given;
  if (tier !== 'pro' && monitoringFrequency !== undefined && monitoringFrequency !== 'none') {
    throw proOnly('Automated Monitoring');
  }
  const change: SavedCaseChange = {};
  if (nickname !== undefined) change.nickname = nicknameOf(nickname);
  return savedCases.forUser(userId, async (own) => {
    const before = await own.find(receiptNumber);
    if (!before) throw notSaved();
    if (monitoringFrequency === undefined || monitoringFrequency === before.monitoringFrequency) {
      return own.change(receiptNumber, change);
    }
    change.monitoring = { frequency: monitoringFrequency, setAtMs: clock.nowMs() };
    await own.publishWatch(receiptNumber, monitoringFrequency);
    return own.change(receiptNumber, change);
  });
}
