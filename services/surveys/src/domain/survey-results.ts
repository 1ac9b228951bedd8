import type { SurveyResults } from '@casewatch/contracts/admin-surveys';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import type { TextAnswer } from './store.ts';
import { questionNotFound, type SurveysService, surveyNotFound } from './surveys-service.ts';

/** @throws AppError NOT_FOUND */
export async function surveyResults({ store }: SurveysService, id: string): Promise<SurveyResults> {
  const survey = await store.surveys.find(id);
  if (!survey) throw surveyNotFound();
  const questions = await store.surveys.questionsOf([id]);
  const idsOf = (isText: boolean) =>
    questions
      .filter(({ questionType }) => (questionType === 'text') === isText)
      .map((question) => question.id);
  const [people, texts, choices] = await Promise.all([
    store.results.countPeople(id),
    store.results.countAnswers(idsOf(true)),
    store.results.countChoices(idsOf(false)),
  ]);
  return {
    survey,
    ...people,
    questions: questions.map((question) => ({
      question,
      answered: choices.get(question.id)?.answered ?? texts.get(question.id) ?? 0,
      options: optionCounts(question, choices.get(question.id)?.options ?? new Map()),
    })),
  };
}

/** Options removed after they were chosen come last, by name. */
function optionCounts({ options }: SurveyQuestion, chosen: ReadonlyMap<string, number>) {
  const former = [...chosen.keys()].filter((option) => !options.includes(option)).sort();
  return [...options, ...former].map((option) => ({ option, count: chosen.get(option) ?? 0 }));
}

/** Lists the texts, newest first. @throws AppError NOT_FOUND */
export async function listTexts(
  { store }: SurveysService,
  questionId: string,
  page: { limit: number; before?: string | undefined },
): Promise<TextAnswer[]> {
  if (!(await store.surveys.findQuestion(questionId))) throw questionNotFound();
  return store.results.texts(questionId, page);
}
