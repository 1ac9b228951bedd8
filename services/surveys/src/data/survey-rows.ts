import { QUESTION_TYPES, SURVEY_FREQUENCIES } from '@casewatch/contracts/limits';
import type { Survey, SurveyQuestion } from '@casewatch/contracts/surveys';
import type { Question as QuestionRow, Survey as SurveyRow } from '../generated/client.ts';

export function toSurvey(row: SurveyRow): Survey {
  return {
    ...row,
    frequency: oneOf(SURVEY_FREQUENCIES, row.frequency),
    startDate: row.startDate?.toISOString() ?? null,
    endDate: row.endDate?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toQuestion(row: QuestionRow): SurveyQuestion {
  return {
    ...row,
    questionType: oneOf(QUESTION_TYPES, row.questionType),
    createdAt: row.createdAt.toISOString(),
  };
}

/** Narrows a value that the table's check constrains. @throws for an unknown value */
function oneOf<Value extends string>(values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new Error(`the database holds ${text}, which is none of ${values.join(', ')}`);
  return found;
}
