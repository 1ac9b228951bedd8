import type { SavedCase } from '@casewatch/contracts/cases';
import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';

/** A change of a saved case that waits for the connection. `before`: what its user saw when they made it. */
export type OfflineChange = { id: string; receiptNumber: string } & (
  | { kind: 'nickname'; before: string | null; wanted: string | null }
  | { kind: 'frequency'; before: MonitoringFrequency; wanted: MonitoringFrequency }
  | { kind: 'removal' }
);

/** A change that was not made, and why, in words for its user. `again`: what makes it all the same. */
export interface OfflineRefusal {
  id: string;
  receiptNumber: string;
  text: string;
  again?: OfflineChange;
}

export interface WaitingChanges {
  changes: OfflineChange[];
  refusals: OfflineRefusal[];
}

/**
 * Returns the changes with another one: of the same kind for the same case the last counts, where the first began; one that leads
 * back to the beginning is none; nothing else is done to a case that is removed.
 */
export function withChange(changes: readonly OfflineChange[], change: OfflineChange): OfflineChange[] {
  const { receiptNumber, kind } = change;
  const others = changes.filter(
    (one) => one.receiptNumber !== receiptNumber || (kind !== 'removal' && one.kind !== kind),
  );
  const former = changes.find((one) => one.receiptNumber === receiptNumber && one.kind === kind);
  if (change.kind === 'nickname' && former?.kind === 'nickname')
    return isNone(former.before, change.wanted) ? others : [...others, { ...change, before: former.before }];
  if (change.kind === 'frequency' && former?.kind === 'frequency')
    return isNone(former.before, change.wanted) ? others : [...others, { ...change, before: former.before }];
  return [...others, change];
}

/** Returns how often a case is monitored, inside a sentence. */
export function frequencyWord(frequency: MonitoringFrequency): string {
  return { none: t`none`, daily: t`daily`, weekly: t`weekly`, monthly: t`monthly` }[frequency];
}

const isNone = (before: string | null, wanted: string | null) => before === wanted;

/** Returns the cases as they are once all changes are made. */
export function applied(cases: readonly SavedCase[], changes: readonly OfflineChange[]): SavedCase[] {
  return cases.flatMap((one) => {
    const own = changes.filter(({ receiptNumber }) => receiptNumber === one.receiptNumber);
    if (own.length === 0) return [one];
    if (own.some(({ kind }) => kind === 'removal')) return [];
    return [own.reduce(changed, one)];
  });
}

function changed(one: SavedCase, change: OfflineChange): SavedCase {
  if (change.kind === 'nickname') return { ...one, nickname: change.wanted };
  return change.kind === 'frequency' ? { ...one, monitoringFrequency: change.wanted } : one;
}
