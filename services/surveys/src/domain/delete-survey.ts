import { type Editor, lockSurvey, record } from './edit.ts';
import type { SurveysService } from './surveys-service.ts';

/** Resolves to how many people's responses went with it. @throws AppError as `lockSurvey` does */
export async function deleteSurvey(
  { store }: SurveysService,
  editor: Editor,
  id: string,
  version: number | undefined,
): Promise<number> {
  return store.transaction(async (work) => {
    const { title } = await lockSurvey(work, id, version);
    const { responseCount } = await work.results.countPeople(id);
    await work.surveys.remove(id);
    const details = { title, responses: String(responseCount) };
    await record(work, editor, 'survey.deleted', `survey:${id}`, details);
    return responseCount;
  });
}
