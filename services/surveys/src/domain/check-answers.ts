import type { Answer, SurveyQuestion } from '@casewatch/contracts/surveys';
import { AppError } from '@casewatch/service-kit/errors/app-error';

export interface AcceptedAnswer {
  questionId: string;
  responseText: string | null;
  responseOptions: readonly string[];
}

/**
 * Returns the answers to store; a question left empty has none.
 * @throws AppError SURVEY_CHANGED for an answer to what is not asked (any more), VALIDATION for one that does not fit
 */
export function checkAnswers(
  questions: readonly SurveyQuestion[],
  answers: readonly Answer[],
): AcceptedAnswer[] {
  const asked = new Map(questions.map((question) => [question.id, question]));
  if (new Set(answers.map(({ questionId }) => questionId)).size < answers.length) {
    throw new AppError('VALIDATION', { en: 'A question can be answered only once.' });
  }
  const accepted = answers.flatMap((answer) => {
    const question = asked.get(answer.questionId);
    if (!question) throw surveyChanged();
    return question.questionType === 'text' ? textAnswer(answer) : choiceAnswer(question, answer);
  });
  const answered = new Set(accepted.map(({ questionId }) => questionId));
  if (questions.some(({ id, isRequired }) => isRequired && !answered.has(id))) {
    throw new AppError('VALIDATION', 'answer-missing');
  }
  return accepted;
}

export function surveyChanged(): AppError {
  return new AppError('SURVEY_CHANGED');
}

function textAnswer({ questionId, responseText = '', responseOptions = [] }: Answer): AcceptedAnswer[] {
  if (responseOptions.length > 0) throw surveyChanged();
  return responseText.trim() === '' ? [] : [{ questionId, responseText, responseOptions: [] }];
}

function choiceAnswer(question: SurveyQuestion, answer: Answer): AcceptedAnswer[] {
  const { questionId, responseText = '', responseOptions = [] } = answer;
  if (responseText.trim() !== '') throw surveyChanged();
  if (responseOptions.some((option) => !question.options.includes(option))) throw surveyChanged();
  if (new Set(responseOptions).size < responseOptions.length) {
    throw new AppError('VALIDATION', { en: 'An option can be chosen only once.' });
  }
  if (question.questionType === 'radio' && responseOptions.length > 1) {
    throw new AppError('VALIDATION', { en: 'Only one option can be chosen.' });
  }
  return responseOptions.length === 0 ? [] : [{ questionId, responseText: null, responseOptions }];
}
