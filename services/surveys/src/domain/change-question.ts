import type { questionChange } from '@casewatch/contracts/admin-surveys';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import type { z } from 'zod';
import { type Editor, lockQuestion, record, touch } from './edit.ts';
import { differences, optionsFor, questionFields } from './fields.ts';
import type { Work } from './store.ts';
import type { SurveysService } from './surveys-service.ts';
import { invalid } from './surveys-service.ts';

type Change = z.output<typeof questionChange>;

/**
 * What is not given stays. Once people have answered, a text question can't become a choice nor the reverse: their
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
  throw invalid(
    'questionType',
    `${people} answered this question, which would not fit the new type. Add a new question instead.`,
  );
}
