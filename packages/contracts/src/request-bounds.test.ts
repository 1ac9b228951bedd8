import { expect, test } from 'vitest';
import { z } from 'zod';
import { changeSavedCase } from './cases.ts';
import type { RouteContract } from './route-contract.ts';
import { routes } from './routes.ts';

/** What an authenticator answers to a sign-in. */
const ASSERTION = [
  'id 1..1364',
  'rawId 1..1364',
  'response.clientDataJSON 1..8000',
  'response.authenticatorData 1..8000',
  'response.signature 1..4000',
  'response.userHandle 1..100',
];
/** What an authenticator answers to a registration. */
const ATTESTATION = [
  'id 1..1364',
  'rawId 1..1364',
  'response.clientDataJSON 1..8000',
  'response.attestationObject 1..16000',
  'response.transports ..10',
  'response.transports[] ..40',
];

/** How long, how many and how much each part of a request may be, in characters, items and numbers. */
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  signUp: [
    'email ..254',
    'password 8..256',
    'firstName 1..100',
    'lastName 1..100',
    'role ..100',
    'policiesVersion ..40',
  ],
  logIn: ['email ..254', 'password 1..256'],
  changeProfile: ['firstName 1..100', 'lastName 1..100', 'role ..100'],
  changeEmail: ['email ..254', 'currentPassword 1..256'],
  changePassword: ['currentPassword 1..256', 'newPassword 8..256'],
  deleteAccount: ['currentPassword 1..256'],
  requestPasswordReset: ['email ..254'],
  resetPassword: ['token ..200', 'newPassword 8..256'],
  confirmEmail: ['token ..200', 'currentPassword 1..256'],
  stopEmailChange: ['token ..200'],
  startPasskeyRegistration: ['proof.currentPassword 1..256', ...ASSERTION],
  addPasskey: [...ATTESTATION],
  renamePasskey: ['name 1..100'],
  removePasskey: ['proof.currentPassword 1..256', ...ASSERTION],
  signInWithPasskey: [...ASSERTION],
  resolveSession: ['sid ..200'],
  listMailAddresses: ['userIds 1..100'],
  reportMailResult: ['email 1..254'],
  findUsers: ['start 1..100'],
  prepareAccountMails: ['mailIds 1..100'],
  adminLogIn: ['passcode 1..256'],
  adminSignIn: ['email ..254', 'password 1..256', 'code 1..40'],
  finishSingleSignOn: ['query ..8000'],
  adminSignInWithPasskey: [...ASSERTION],
  startAdminPasskeyRegistration: ['password 1..256', 'code 1..40'],
  addAdminPasskey: [...ATTESTATION],
  resolveAdminSession: ['sid ..200'],
  openInvitation: ['token ..100'],
  acceptInvitation: ['token ..100', 'name 1..100', 'password 12..256', 'code 1..40'],
  inviteAdministrator: ['email ..254'],
  lookUpCases: ['origin = "search"', 'receiptNumbers 1..10', 'receiptNumbers[] ..64'],
  lookUpCase: ['receiptNumber ..64', 'origin = "search"'],
  exportCasesCsv: [
    'content = "cases"',
    'receiptNumbers 1..5000',
    'receiptNumbers[] ..64',
    'timeZone ..64',
    'timeZone = "UTC"',
  ],
  exportCasesNdjson: ['receiptNumbers 1..5000', 'receiptNumbers[] ..64'],
  listSavedCasesPage: [
    'search ..100',
    'status ..1000',
    'form ..100',
    'tag ..100',
    'sort = "created"',
    'order = "desc"',
    'language = "en"',
    'cursor ..4000',
    'limit 1..500',
    'limit = 50',
  ],
  changeSavedCases: ['receiptNumbers 1..500', 'receiptNumbers[] ..64', 'tags 1..10', 'tags[] 1..40'],
  importSavedCases: [
    'cases 1..500',
    'cases[].receiptNumber ..64',
    'cases[].nickname ..100',
    'cases[].tags ..10',
    'cases[].tags[] 1..40',
    'cases[].dates ..20',
    'cases[].dates[].label ..100',
    'cases[].dates[].done = false',
    'cases[].monitoringFrequency = "none"',
    'after ..64',
  ],
  saveCase: [
    'receiptNumber ..64',
    'nickname ..100',
    'monitoringFrequency = "none"',
    'tags ..10',
    'tags[] 1..40',
  ],
  changeSavedCase: ['receiptNumber ..64', ' 1..', 'nickname ..100', 'tags ..10', 'tags[] 1..40'],
  removeSavedCase: ['receiptNumber ..64'],
  putCaseDate: ['receiptNumber ..64', 'label ..100', 'done = false'],
  removeCaseDate: ['receiptNumber ..64'],
  listCaseOverviews: ['userIds 1..50'],
  demonstrateAgencyCall: ['receiptNumber ..64'],
  checkCases: ['receiptNumbers 1..100', 'receiptNumbers[] ..64'],
  listCaseNicknames: ['cases 1..100', 'cases[].receiptNumber ..64'],
  listNotifications: ['limit 1..100', 'limit = 50'],
  streamNotifications: ['after ..20'],
  exportNotificationsCsv: [
    'receiptNumbers 1..5000',
    'receiptNumbers[] ..64',
    'timeZone ..64',
    'timeZone = "UTC"',
  ],
  exportNotificationsNdjson: ['receiptNumbers 1..5000', 'receiptNumbers[] ..64'],
  savePushDevice: ['endpoint ..1000'],
  changeNotificationSettings: ['timeZone ..64', 'digestHour 0..23', 'digestDay 1..7'],
  openUnsubscribePage: ['token 1..200'],
  unsubscribe: ['token 1..200'],
  createSubscription: [' = {}', 'priceId ..255', 'address.postalCode ..20', 'promotionCode ..100'],
  confirmPayment: ['paymentIntentId ..255'],
  answerSurvey: ['responses ..100', 'responseText ..5000', 'responseOptions ..50'],
  createSurvey: ['title 1..200', 'description ..2000', 'loginTrigger 1..1000000'],
  changeSurvey: ['title 1..200', 'description ..2000', 'loginTrigger 1..1000000'],
  createQuestion: ['questionText 1..2000', 'options ..50', 'options[] 1..200', 'orderIndex 0..1000000'],
  changeQuestion: ['questionText 1..2000', 'options ..50', 'options[] 1..200', 'orderIndex 0..1000000'],
  listTextAnswers: ['limit 1..200', 'limit = 50'],
  listLogs: [
    'q ..500',
    'receiptNumber ..20',
    'user ..100',
    'statusCode 100..599',
    'limit 1..200',
    'limit = 50',
    'offset 0..',
    'offset = 0',
    'older ..100',
    'newer ..100',
  ],
  getLog: ['place ..100'],
  exportLogsCsv: ['q ..500', 'receiptNumber ..20', 'user ..100', 'statusCode 100..599'],
  exportLogsNdjson: ['q ..500', 'receiptNumber ..20', 'user ..100', 'statusCode 100..599'],
  saveLogViews: ['views 1..50', 'views[].name 1..60', 'views[].query ..2000'],
  listAudit: ['action ..60', 'subject ..100', 'actor ..100', 'limit 1..200', 'limit = 50', 'older ..100'],
  exportAuditCsv: ['action ..60', 'subject ..100', 'actor ..100'],
};

test('what a request may hold is bounded as clients know it', () => {
  const found = routes.map((route) => [route.id, boundsOf(route)] as const);
  expect(Object.fromEntries(found.filter(([, bounds]) => bounds.length > 0))).toEqual(BOUNDS);
});

test('a change says what is changed', () => {
  const problemOf = (body: unknown) => changeSavedCase.body?.safeParse(body).error?.issues[0]?.message;
  expect(problemOf({})).toMatch(/^Choose what to change/);
  expect(problemOf({ nickname: null })).toBeUndefined();
});

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** `title 1..200` of a text, a number or a list, `limit = 50` of what is taken when nothing is given. */
function boundsOf({ params, query, body }: RouteContract): string[] {
  const found = [params, query, body].flatMap((schema) =>
    schema ? boundsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '') : [],
  );
  return [...new Set(found)];
}

function boundsIn(schema: JsonSchema, name: string): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, minProperties } = schema;
  const least = minLength ?? minItems ?? minimum ?? minProperties;
  const most = maxLength ?? maxItems ?? maximum;
  const counts = [least, most].filter((count) => Math.abs(count ?? Infinity) < Number.MAX_SAFE_INTEGER);
  const within = (part: JsonSchema['items'], at: string) =>
    typeof part === 'object' && !Array.isArray(part) ? boundsIn(part, at) : [];
  return [
    ...(counts.length > 0 ? [`${name} ${least ?? ''}..${counts.includes(most) ? most : ''}`] : []),
    ...(schema.default === undefined ? [] : [`${name} = ${JSON.stringify(schema.default)}`]),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
      within(part, name ? `${name}.${key}` : key),
    ),
    ...within(schema.items, `${name}[]`),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...Object.values(schema.$defs ?? {})].flatMap(
      (part) => within(part, name),
    ),
  ];
}
