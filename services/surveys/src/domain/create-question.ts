import type { questionBody } from '@casewatch/contracts/admin-surveys';
import { SURVEY_QUESTIONS_MAX } from '@casewatch/contracts/limits';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { z } from 'zod';
import { type Editor, lockSurvey, record, touch } from './edit.ts';
import { questionFields, summary } from './fields.ts';
import { optionsFor } from './question-options.ts';
import { invalid } from './refusals.ts';
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
      throw invalid('surveyId', `A survey can have at most ${SURVEY_QUESTIONS_MAX} questions.`);
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
