import type { PendingSurvey } from '@casewatch/contracts/surveys';
import { isDue } from './is-due.ts';
import type { Candidate } from './store.ts';
import type { SurveysService } from './surveys-service.ts';

/** Surveys are shown one at a time: more are never reached. */
const MOST = 20;

/**
 * What the person is due to be shown: first what they were never shown, the oldest survey first, then what they were
 * shown longest ago. A survey without questions is not shown.
 */
export async function listPending(
  { store, clock }: SurveysService,
  userId: string,
): Promise<PendingSurvey[]> {
  const { loginCount, candidates } = await store.people.candidatesFor(userId);
  const nowMs = clock.nowMs();
  const due = candidates
    .filter(({ survey, shown }) => isDue(survey, shown, loginCount, nowMs))
    .sort(byTurn)
    .map(({ survey }) => survey);
  const questions = Map.groupBy(
    due.length === 0 ? [] : await store.surveys.questionsOf(due.map(({ id }) => id)),
    ({ surveyId }) => surveyId,
  );
  return due
    .map((survey) => ({ survey, questions: questions.get(survey.id) ?? [] }))
    .filter((pending) => pending.questions.length > 0)
    .slice(0, MOST);
}

function byTurn(a: Candidate, b: Candidate): number {
  const [shownA, shownB] = [a.shown?.atMs ?? 0, b.shown?.atMs ?? 0];
  if (shownA !== shownB) return shownA - shownB;
  return a.survey.createdAt.localeCompare(b.survey.createdAt) || a.survey.id.localeCompare(b.survey.id);
}
