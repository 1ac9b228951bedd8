import type { QuestionType } from '@casewatch/contracts/limits';
import type { Survey, SurveyQuestion } from '@casewatch/contracts/surveys';
import { invalidField } from '@casewatch/service-kit/errors/app-error';

/** What an administrator can set, as short texts. */
export type Fields = Record<string, string>;

const MAX_CHARACTERS = 200;

export function surveyFields(survey: Survey): Fields {
  const { title, description, isActive, startDate, endDate, frequency, loginTrigger } = survey;
  return texts({ title, description, isActive, startDate, endDate, frequency, loginTrigger });
}

export function questionFields(question: SurveyQuestion): Fields {
  const { questionText, questionType, options, orderIndex, isRequired } = question;
  return texts({ questionText, questionType, options, orderIndex, isRequired });
}

/** Returns `before → after` of every field that is another one. */
export function differences(before: Fields, after: Fields): Fields {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, text]) => text !== before[name])
      .map(([name, text]) => [name, `${shown(before[name] ?? '')} → ${shown(text)}`]),
  );
}

/** Returns the non-empty fields, truncated for the audit trail. */
export function summary(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, shown(text)]),
  );
}

function texts(values: Record<string, string | number | boolean | readonly string[] | null>): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? (value?.join('\n') ?? '') : String(value),
    ]),
  );
}

function shown(text: string): string {
  const line = text.replaceAll('\n', ' | ');
  if (line === '') return '(none)';
  const characters = [...line];
  return characters.length <= MAX_CHARACTERS ? line : `${characters.slice(0, MAX_CHARACTERS).join('')}…`;
}

/** Returns the distinct options; none for texts. @throws AppError VALIDATION for a choice without options */
export function optionsFor(type: QuestionType, given: readonly string[]): string[] {
  if (type === 'text') return [];
  if (given.length === 0) throw invalidField('options', { en: 'Add at least one option.' });
  return [...new Set(given)];
}

const YEAR_10000_MS = Date.UTC(10_000, 0, 1);

/** Returns a date as it is stored. @throws AppError VALIDATION outside of the years that can be shown */
export function toMoment(field: string, given: string | null): string | null {
  if (given === null) return null;
  const ms = Date.parse(given);
  if (!(ms >= 0 && ms < YEAR_10000_MS))
    throw invalidField(field, { en: 'The date must lie between 1970 and 9999.' });
  return new Date(ms).toISOString();
}

/** @throws AppError VALIDATION */
export function requireOrder(startDate: string | null, endDate: string | null): void {
  if (startDate === null || endDate === null || Date.parse(startDate) <= Date.parse(endDate)) return;
  throw invalidField('endDate', { en: 'The end date must not be before the start date.' });
}
