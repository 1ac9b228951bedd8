import { QUESTION_TYPES, type QuestionType } from '@casewatch/contracts/limits';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import type { QuestionBody } from '../../../api/admin-surveys.ts';
import { wholeNumber } from './survey-form.ts';

/** The question dialog's fields as they are typed. */
export interface QuestionForm {
  questionText: string;
  questionType: QuestionType;
  /** One option a line. */
  options: string;
  orderIndex: string;
  isRequired: boolean;
}

/** Returns an empty form for one more question. */
export function newQuestion(questionCount: number): QuestionForm {
  return {
    questionText: '',
    questionType: 'text',
    options: '',
    orderIndex: String(questionCount),
    isRequired: true,
  };
}

export function questionFormOf(question: SurveyQuestion): QuestionForm {
  return {
    questionText: question.questionText,
    questionType: question.questionType,
    options: question.options.join('\n'),
    orderIndex: String(question.orderIndex),
    isRequired: question.isRequired,
  };
}

export function questionBodyOf(form: QuestionForm): QuestionBody {
  return {
    questionText: form.questionText.trim(),
    questionType: form.questionType,
    options: hasOptions(form.questionType) ? optionLines(form.options) : [],
    orderIndex: wholeNumber(form.orderIndex, 0),
    isRequired: form.isRequired,
  };
}

/** Returns one option for each line that is not blank. */
export function optionLines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function hasOptions(type: QuestionType): boolean {
  return type !== 'text';
}

export function questionTypeOf(text: string): QuestionType {
  return QUESTION_TYPES.find((one) => one === text) ?? 'text';
}
