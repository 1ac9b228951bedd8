import type { questionBody, questionChange } from '@casewatch/contracts/admin-surveys';
import { SURVEY_QUESTIONS_MAX } from '@casewatch/contracts/limits';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { invalidField } from '@casewatch/service-kit/errors/app-error';
import type { z } from 'zod';
import { type Editor, lockQuestion, lockSurvey, record, touch } from './edit.ts';
import { differences, optionsFor, questionFields, summary } from './fields.ts';
import type { Work } from './store.ts';
import type { SurveysService } from './surveys-service.ts';

/** @throws AppError as `lockSurvey`, VALIDATION */
export async function createQuestion(
  { store, clock }: SurveysService,
  editor: Editor,
  { surveyId, version, ...given }: z.output<typeof questionBody>,
): Promise<SurveyQuestion> {
  return store.transaction(async (work) => {
    const survey = await lockSurvey(work, surveyId, version);
    const others = await work.surveys.questionsOf([surveyId]);
    if (others.length >= SURVEY_QUESTIONS_MAX) {
      throw invalidField('surveyId', { en: `A survey can have at most ${SURVEY_QUESTIONS_MAX} questions.` });
    }
    const nowMs = clock.nowMs();
    const questionType = given.questionType ?? 'text';
    const question: SurveyQuestion = {
      id: uuidV7(nowMs),
      surveyId,
      questionText: given.questionText,
      questionType,
      options: optionsFor(questionType, given.options ?? []),
      orderIndex: given.orderIndex ?? others.length,
      isRequired: given.isRequired ?? true,
      createdAt: new Date(nowMs).toISOString(),
    };
    await work.surveys.addQuestions([question]);
    await touch(work, survey, nowMs);
    const details = { survey: surveyId, ...summary(questionFields(question)) };
    await record(work, editor, 'question.created', `question:${question.id}`, details);
    return question;
  });
}

type Change = z.output<typeof questionChange>;

/**
 * Changes a question; what is not given stays. Once people have answered, a text question can't become a choice nor the reverse: their
 * answers would fit nothing any more. @throws AppError as `lockQuestion`, VALIDATION
 */
export async function changeQuestion(
  { store, clock }: SurveysService,
  editor: Editor,
  id: string,
  { version, ...change }: Change,
): Promise<SurveyQuestion> {
  return store.transaction(async (work) => {
    const { survey, question: before } = await lockQuestion(work, id, version);
    const after = applied(before, change);
    const details = differences(questionFields(before), questionFields(after));
    if (Object.keys(details).length === 0) return before;
    if ((before.questionType === 'text') !== (after.questionType === 'text')) {
      await requireNoAnswers(work, id);
    }
    await work.surveys.changeQuestion(after);
    await touch(work, survey, clock.nowMs());
    await record(work, editor, 'question.changed', `question:${id}`, { survey: survey.id, ...details });
    return after;
  });
}

function applied(question: SurveyQuestion, change: Omit<Change, 'version'>): SurveyQuestion {
  const questionType = change.questionType ?? question.questionType;
  return {
    ...question,
    questionText: change.questionText ?? question.questionText,
    questionType,
    options: optionsFor(questionType, change.options ?? question.options),
    orderIndex: change.orderIndex ?? question.orderIndex,
    isRequired: change.isRequired ?? question.isRequired,
  };
}

async function requireNoAnswers({ results }: Work, questionId: string): Promise<void> {
  const answered = (await results.countAnswers([questionId])).get(questionId) ?? 0;
  if (answered === 0) return;
  const people = answered === 1 ? '1 person has' : `${answered} people have`;
  throw invalidField('questionType', {
    en: `${people} answered this question, which would not fit the new type. Add a new question instead.`,
  });
}

/** Deletes a question with its answers. @throws AppError as `lockQuestion` does */
export async function deleteQuestion(
  { store, clock }: SurveysService,
  editor: Editor,
  id: string,
  version: number | undefined,
): Promise<void> {
  await store.transaction(async (work) => {
    const { survey, question } = await lockQuestion(work, id, version);
    const answers = (await work.results.countAnswers([id])).get(id) ?? 0;
    await work.surveys.removeQuestion(id);
    await touch(work, survey, clock.nowMs());
    const details = { survey: survey.id, questionText: question.questionText, answers: String(answers) };
    await record(work, editor, 'question.deleted', `question:${id}`, details);
  });
}
