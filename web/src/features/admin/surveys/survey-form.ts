import { SURVEY_FREQUENCIES, type SurveyFrequency } from '@casewatch/contracts/limits';
import type { Survey } from '@casewatch/contracts/surveys';
import type { SurveyBody } from '../../../api/admin-surveys.ts';

/** The survey dialog's fields as they are typed. Dates are `yyyy-MM-dd`, or empty. */
export interface SurveyForm {
  title: string;
  description: string;
  isActive: boolean;
  frequency: SurveyFrequency;
  loginTrigger: string;
  startDate: string;
  endDate: string;
}

export const NEW_SURVEY: SurveyForm = {
  title: '',
  description: '',
  isActive: false,
  frequency: 'daily',
  loginTrigger: '1',
  startDate: '',
  endDate: '',
};

export function surveyFormOf(survey: Survey): SurveyForm {
  return {
    title: survey.title,
    description: survey.description ?? '',
    isActive: survey.isActive,
    frequency: survey.frequency,
    loginTrigger: String(survey.loginTrigger),
    startDate: dayOf(survey.startDate),
    endDate: dayOf(survey.endDate),
  };
}

/** Returns what to send. A date that was not touched keeps its time of day, which the field can't show. */
export function surveyBodyOf(form: SurveyForm, edited: Survey | null): SurveyBody {
  return {
    title: form.title.trim(),
    description: form.description.trim() || null,
    isActive: form.isActive,
    frequency: form.frequency,
    loginTrigger: loginTriggerOf(form),
    startDate: momentOf(form.startDate, edited?.startDate ?? null),
    endDate: momentOf(form.endDate, edited?.endDate ?? null),
  };
}

/** A field that is not shown can't be wrong. */
function loginTriggerOf({ frequency, loginTrigger }: SurveyForm): number {
  const value = wholeNumber(loginTrigger, 1);
  return frequency === 'daily' ? value : Math.max(1, value);
}

export function frequencyOf(text: string): SurveyFrequency {
  return SURVEY_FREQUENCIES.find((one) => one === text) ?? 'daily';
}

/** Returns the whole number that a text begins with; `fallback` when it is none. */
export function wholeNumber(text: string, fallback: number): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? fallback : value;
}

/** The day of a moment, in UTC, in which the server reads days. */
function dayOf(moment: string | null): string {
  return moment?.slice(0, 10) ?? '';
}

function momentOf(day: string, before: string | null): string | null {
  return day === dayOf(before) ? before : day || null;
}
