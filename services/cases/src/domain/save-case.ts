import type { SavedCase } from '@casewatch/contracts/cases';
import { FREE_SAVED_CASES_MAX, type MonitoringFrequency } from '@casewatch/contracts/limits';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Caller } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { nicknameOf } from './nickname.ts';
import { proOnly } from './pro-required.ts';
import type { SavedCaseStore } from './saved-case-store.ts';

export interface SaveCaseInput {
  receiptNumber: string;
  nickname?: string | null | undefined;
  monitoringFrequency: MonitoringFrequency;
}

/**
 * Saves a case for the caller. The free limit holds for saves at the same time too.
 * @throws AppError CASE_ALREADY_SAVED, SAVED_CASE_LIMIT, PRO_REQUIRED, or SIGNED_OUT when the account is gone
 */
export async function saveCase(
  { savedCases, clock }: { savedCases: SavedCaseStore; clock: Clock },
  { userId, tier }: Caller,
  { receiptNumber, nickname, monitoringFrequency }: SaveCaseInput,
): Promise<SavedCase> {
  if (tier !== 'pro' && monitoringFrequency !== 'none') throw proOnly('Automated Monitoring');
  return savedCases.forUser(userId, async (own) => {
    if (await own.ownerIsDeleted()) {
      throw new AppError('SIGNED_OUT', 'This account was deleted. Please sign in with another one.');
    }
    if (await own.find(receiptNumber)) {
      throw new AppError('CASE_ALREADY_SAVED', 'This case is already in your saved list.');
    }
    if (tier !== 'pro' && (await own.count()) >= FREE_SAVED_CASES_MAX) {
      throw proOnly('Saving more than 3 cases', 'SAVED_CASE_LIMIT');
    }
    const saved = await own.add({
      receiptNumber,
      nickname: nicknameOf(nickname),
      monitoringFrequency,
      createdAtMs: clock.nowMs(),
    });
    if (monitoringFrequency !== 'none') await own.publishWatch(receiptNumber, monitoringFrequency);
    return saved;
  });
}
