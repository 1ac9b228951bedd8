import { type Editor, lockQuestion, record, touch } from './edit.ts';
import type { SurveysService } from './surveys-service.ts';

/** With its answers. @throws AppError as `lockQuestion` does */
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
