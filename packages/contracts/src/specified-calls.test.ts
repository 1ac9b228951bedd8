import { expect, test } from 'vitest';
import { routes } from './routes.ts';

const ID = '0198c0de-0000-7000-8000-000000000001';
const survey = {
  title: 'Feedback',
  description: 'Two minutes.',
  isActive: true,
  frequency: 'weekly',
  loginTrigger: 3,
  startDate: '2026-01-15',
  endDate: '2026-02-15',
};
const question = {
  questionText: 'Again?',
  questionType: 'radio',
  options: ['Yes', 'No'],
  orderIndex: 0,
  isRequired: false,
};

/** The calls of the product specification, with the payloads that it names. */
test.each([
  ['GET', '/api/auth/me', 'user', []],
  ['POST', '/api/auth/login', 'public', [{ email: 'ada@example.org', password: 'x' }]],
  [
    'POST',
    '/api/auth/signup',
    'public',
    [{ email: 'ada@example.org', password: '12345678', firstName: 'A', lastName: 'L', role: 'Attorney' }],
  ],
  ['POST', '/api/auth/logout', 'public', []],
  ['GET', '/api/case-status/:receiptNumber', 'user', []],
  ['POST', '/api/case-status/bulk', 'user', [{ receiptNumbers: ['EAC9999103403'] }]],
  ['GET', '/api/saved-cases', 'user', []],
  [
    'POST',
    '/api/saved-cases',
    'user',
    [{ receiptNumber: 'EAC9999103403', monitoringFrequency: 'none' }, { receiptNumber: 'EAC9999103403' }],
  ],
  [
    'PATCH',
    '/api/saved-cases/:receiptNumber',
    'user',
    [{ monitoringFrequency: 'daily' }, { nickname: 'Mum' }, { nickname: null }],
  ],
  ['DELETE', '/api/saved-cases/:receiptNumber', 'user', []],
  ['GET', '/api/notifications', 'user', []],
  ['PATCH', '/api/notifications/:id/read', 'user', []],
  ['POST', '/api/notifications/read-all', 'user', []],
  ['GET', '/api/surveys/pending', 'user', []],
  [
    'POST',
    '/api/surveys/respond',
    'user',
    [
      { surveyId: ID, responses: [{ questionId: ID, responseText: 'Fine' }] },
      { surveyId: ID, responses: [{ questionId: ID, responseOptions: ['Yes'] }] },
    ],
  ],
  ['POST', '/api/surveys/skip', 'user', [{ surveyId: ID }]],
  ['GET', '/api/pricing', 'public', []],
  ['POST', '/api/create-subscription', 'user', [{ priceId: 'price_1' }, {}, undefined]],
  ['POST', '/api/confirm-payment', 'user', [{ paymentIntentId: 'pi_1' }]],
  ['POST', '/api/admin/login', 'public', [{ passcode: 'open sesame' }]],
  ['GET', '/api/admin/logs', 'admin', []],
  ['GET', '/api/admin/surveys', 'admin', []],
  ['POST', '/api/admin/surveys', 'admin', [survey]],
  ['PATCH', '/api/admin/surveys/:id', 'admin', [survey]],
  ['DELETE', '/api/admin/surveys/:id', 'admin', []],
  ['POST', '/api/admin/survey-questions', 'admin', [{ surveyId: ID, ...question }]],
  ['PATCH', '/api/admin/survey-questions/:id', 'admin', [question]],
  ['DELETE', '/api/admin/survey-questions/:id', 'admin', []],
])('%s %s is for %s callers and takes its payload', (method, path, access, payloads) => {
  const route = routes.find((one) => one.method === method && one.path === path);
  expect(route?.access).toBe(access);
  for (const payload of payloads) expect(route?.body?.parse(payload)).toMatchObject(payload ?? {});
});

test('a page of the admin log is named by limit and offset', () => {
  const logs = routes.find(({ path }) => path === '/api/admin/logs');
  expect(logs?.query?.parse({ limit: '50', offset: '100' })).toMatchObject({ limit: 50, offset: 100 });
});
