import type { TextAnswer } from './store.ts';
import type { SurveysService } from './surveys-service.ts';
import { questionGone } from './surveys-service.ts';

/** Newest first. @throws AppError NOT_FOUND */
export async function listTexts(
  { store }: SurveysService,
  questionId: string,
  page: { limit: number; before?: string | undefined },
): Promise<TextAnswer[]> {
  if (!(await store.surveys.findQuestion(questionId))) throw questionGone();
  return store.results.texts(questionId, page);
}
