import type { QuestionType, SurveyFrequency } from '@casewatch/contracts/limits';
import type { Survey } from '@casewatch/contracts/surveys';
import { formatDay } from '../../../lib/format-moment.ts';

export const FREQUENCY_WORDS: Readonly<Record<SurveyFrequency, string>> = {
  daily: 'By Login Count',
  weekly: 'Weekly',
  monthly: 'Monthly',
};

export const TYPE_WORDS: Readonly<Record<QuestionType, string>> = {
  text: 'Free Text',
  radio: 'Single Choice',
  checkbox: 'Multiple Choice',
};

/** Returns after how many logins a survey is shown; null for one that is not shown by their count. */
export function loginWords({ frequency, loginTrigger }: Survey): string | null {
  return frequency === 'daily' ? `After ${counted(loginTrigger, 'login')}` : null;
}

/** Returns the day of a moment (ISO 8601) in UTC, in which surveys begin and end: `Mar 1, 2026`. */
export function utcDay(moment: string): string {
  return formatDay(moment.slice(0, 10));
}

/** Returns `1 response`, `2 responses`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Returns a share in whole per cent; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 100) : 0;
}
