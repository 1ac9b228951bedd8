import type { Survey, SurveyQuestion } from '@casewatch/contracts/surveys';

/** What an administrator can set, as short texts. */
export type Fields = Record<string, string>;

const MOST_CHARACTERS = 200;

export function surveyFields(survey: Survey): Fields {
  const { title, description, isActive, startDate, endDate, frequency, loginTrigger } = survey;
  return texts({ title, description, isActive, startDate, endDate, frequency, loginTrigger });
}

export function questionFields(question: SurveyQuestion): Fields {
  const { questionText, questionType, options, orderIndex, isRequired } = question;
  return texts({ questionText, questionType, options, orderIndex, isRequired });
}

/** `before → after` of every field that is another one. */
export function differences(before: Fields, after: Fields): Fields {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, text]) => text !== before[name])
      .map(([name, text]) => [name, `${shown(before[name] ?? '')} → ${shown(text)}`]),
  );
}

/** Those that say something, cut to a length that an audit trail can show. */
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
  return characters.length <= MOST_CHARACTERS ? line : `${characters.slice(0, MOST_CHARACTERS).join('')}…`;
}
