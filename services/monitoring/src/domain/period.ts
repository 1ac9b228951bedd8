import { MONITORING_FREQUENCIES, type MonitoringFrequency } from '@casewatch/contracts/limits';

const DAYS: Record<MonitoringFrequency, number | null> = { none: null, daily: 1, weekly: 7, monthly: 30 };

/** Returns the days between two checks; null for none. */
export function periodDaysOf(frequency: MonitoringFrequency): number | null {
  return DAYS[frequency];
}

export function frequencyOf(periodDays: number | null): MonitoringFrequency {
  const frequency = MONITORING_FREQUENCIES.find((known) => DAYS[known] === periodDays);
  if (!frequency) throw new Error(`no frequency has a period of ${periodDays} days`);
  return frequency;
}
