import type { PendingSurvey, Survey } from '@casewatch/contracts/surveys';
import type { Candidate, Shown } from './store.ts';
import type { SurveysService } from './surveys-service.ts';

/** Surveys are shown one at a time: more are never reached. */
const MOST = 20;
const DAY_MS = 24 * 60 * 60_000;
const PERIOD_MS = { weekly: 7 * DAY_MS, monthly: 30 * DAY_MS };

/**
 * Returns what the person is due to be shown: first what they were never shown, the oldest survey first, then what they were
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

/** Returns whether people may answer it: active, and within its dates. */
export function isOpen({ isActive, startDate, endDate }: Survey, nowMs: number): boolean {
  if (!isActive) return false;
  if (startDate !== null && nowMs < Date.parse(startDate)) return false;
  return endDate === null || nowMs < endOf(endDate);
}

/**
 * Returns whether to show the survey to a user that has not answered it. By login count: `loginTrigger` sign-ins after it was
 * last shown, or after the account began. Weekly and monthly: 7 and 30 days after it was last shown.
 */
export function isDue(survey: Survey, shown: Shown | undefined, loginCount: number, nowMs: number): boolean {
  if (!isOpen(survey, nowMs)) return false;
  if (survey.frequency === 'daily') return loginCount - (shown?.loginCount ?? 0) >= survey.loginTrigger;
  return shown === undefined || nowMs - shown.atMs >= PERIOD_MS[survey.frequency];
}

/** An end that is a day (its first moment, UTC) includes that day. */
function endOf(endDate: string): number {
  const endMs = Date.parse(endDate);
  return endMs % DAY_MS === 0 ? endMs + DAY_MS : endMs;
}
