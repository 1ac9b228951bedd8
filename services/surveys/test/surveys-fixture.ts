import { randomUUID } from 'node:crypto';
import type { AdminSurvey, SurveyResults } from '@casewatch/contracts/admin-surveys';
import type { Answer, PendingSurvey, Survey, SurveyQuestion } from '@casewatch/contracts/surveys';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { ADDRESS_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { createManualClock } from '@casewatch/testing/manual-clock';
import type { TestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { pino } from 'pino';
import { service } from '../src/service.ts';

export const DAY_MS = 24 * 60 * 60_000;
/** The admin session that edits unless another one is named. */
export const EDITOR = '0199d0c4-0000-4000-8000-0000000000ed';

export interface Acted {
  action: string;
  subject: string;
  success: boolean;
  sessionId: string;
  actor: string;
  role: string;
  address: string;
  details: Record<string, string>;
}

/**
 * The surveys service over real HTTP and its own database, with a clock that stands still until it is moved. Events
 * reach it as from the bus: through a consumer group with its inbox.
 */
export async function startSurveys(options: { database?: TestDatabase } = {}) {
  const clock = createManualClock();
  const running = await startTestService(service, { ...options, clock });
  const pool = running.database.openPool('surveys', 8);
  const consumer = createGroupConsumer({
    group: 'surveys',
    handlers: running.service.consumers,
    pool,
    clock,
    logger: pino({ level: 'silent' }),
    policy: { ...defaultPolicy, retryDelaysMs: [] },
  });
  const take = (topic: string, userId: string, payload: object) =>
    consumer.dispatch({
      id: uuidV7(clock.nowMs()),
      topic,
      key: userId,
      payload: { userId, ...payload },
      headers: { ce_time: new Date(clock.nowMs()).toISOString() },
    });

  const admin = (method: string, path: string, body?: unknown) =>
    running.call(method, `/api/admin/${path}`, {
      adminSession: EDITOR,
      headers: { [ADDRESS_HEADER]: '198.51.100.7' },
      ...(body === undefined ? {} : { body }),
    });
  const made = async <T>(answer: Promise<Response>): Promise<T> => {
    const { status, ok } = await answer;
    const body = await (await answer).json();
    if (!ok) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body as T;
  };
  const user = (userId: string, method: string, path: string, body?: unknown) =>
    running.call(method, `/api/surveys/${path}`, {
      as: { userId },
      ...(body === undefined ? {} : { body }),
    });

  return {
    ...running,
    clock,
    pool,
    admin,
    user,
    loggedIn: (userId: string, loginCount: number) => take('user-logged-in', userId, { loginCount }),
    userDeleted: (userId: string) => take('user-deleted', userId, {}),
    /** What went to the audit trail, oldest first. */
    audit: async () =>
      (await running.published())
        .filter(({ name }) => name === 'admin-acted')
        .map(({ payload }) => payload as Acted),
    createSurvey: (survey: object = {}) =>
      made<Survey>(admin('POST', 'surveys', { title: 'How is it?', isActive: true, ...survey })),
    createQuestion: (surveyId: string, question: object = {}) =>
      made<SurveyQuestion>(
        admin('POST', 'survey-questions', { surveyId, questionText: 'Why?', ...question }),
      ),
    /** An active survey that is due at the first sign-in, with one required text question. */
    async askedSurvey(survey: object = {}) {
      const { id: surveyId } = await this.createSurvey(survey);
      const { id: questionId } = await this.createQuestion(surveyId);
      return { surveyId, questionId };
    },
    listed: () => made<AdminSurvey[]>(admin('GET', 'surveys')),
    results: (surveyId: string) => made<SurveyResults>(admin('GET', `surveys/${surveyId}/results`)),
    pending: (userId: string) => made<PendingSurvey[]>(user(userId, 'GET', 'pending')),
    pendingTitles: async (userId: string) =>
      (await made<PendingSurvey[]>(user(userId, 'GET', 'pending'))).map(({ survey }) => survey.title),
    skip: (userId: string, surveyId: string) => user(userId, 'POST', 'skip', { surveyId }),
    respond: (userId: string, surveyId: string, responses: Answer[], more: object = {}) =>
      user(userId, 'POST', 'respond', { surveyId, responses, ...more }),
    async stop() {
      await consumer.stop();
      await running.stop();
    },
  };
}
export type SurveysFixture = Awaited<ReturnType<typeof startSurveys>>;

export const newUserId = (): string => randomUUID();

export async function errorOf(answer: Response) {
  const { code, error, details } = (await answer.json()) as {
    error: string;
    code: string;
    details?: { path: string; message: string }[];
  };
  return { status: answer.status, code, error, details };
}
