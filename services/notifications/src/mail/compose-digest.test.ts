import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { expect, test } from 'vitest';
import { createDigestComposer } from './compose-digest.ts';

const compose = createDigestComposer({
  from: 'Casewatch <notices@casewatch.example.com>',
  publicUrl: 'https://casewatch.example.com',
});
const digest = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  userId: 'u',
  kind: 'weekly',
  period: '2026-03-08',
  queuedAtMs: 0,
  attempts: 1,
  settings: DEFAULT_NOTIFICATION_SETTINGS,
} as const;
const addressed = {
  to: 'ada@people.example',
  language: 'en',
  unsubscribeToken: 'token',
  date: new Date(0),
} as const;
const changed = [
  {
    notificationId: 'n',
    receiptNumber: 'EAC9999103403',
    nickname: 'Mom',
    formType: 'N-400',
    oldStatus: 'Case Was Received',
    between: [],
    newStatus: 'Case Was Approved',
  },
];
const COMPLETE = { hasMoreChanged: false, hasMoreUnchanged: false };
const unchanged = [
  { receiptNumber: 'WAC9999103404', nickname: null, status: 'Case Was Received', days: 1, isAtLeast: false },
];

test('changed cases come first with what to do next, and the others are folded with their days', () => {
  const { subject, text, html, messageId, unsubscribeUrl } = compose(
    digest,
    { ...COMPLETE, changed, unchanged },
    addressed,
  );
  expect(subject).toBe('Casewatch: 1 case changed');
  expect(messageId).toBe(`<${digest.id}.digest@casewatch.example.com>`);
  expect(unsubscribeUrl).toContain('/api/notifications/unsubscribe?token=token');
  for (const part of [text, html]) {
    expect(part).toContain('weekly digest for March 8, 2026');
    expect(part).toContain('Case Was Received → Case Was Approved');
    expect(part).toContain('oath ceremony');
    expect(part).toContain('WAC******3404: Case Was Received, 1 day in this status');
    expect(part.indexOf('Mom (EAC******3403)')).toBeLessThan(part.indexOf('No change: 1 case'));
    expect(part).not.toMatch(/9999103/);
  }
  expect(html).toContain('<details');
});

test.each([
  ['back where it was', 'one', ['two'], 'one', 'one → two → one'],
  ['six statuses', 'one', ['two', 'three', 'four', 'five'], 'six', 'one → two → three → four → five → six'],
  ['more than six', 'one', [...'abcdefg'], 'last', 'one → … → e → f → g → last'],
  ['from the first on', null, [], 'one', 'New status: one'],
  ['from the first on, and further', null, ['one'], 'two', 'one → two'],
])('the line of a case shows its way: %s', (_way, oldStatus, between, newStatus, line) => {
  const one = {
    notificationId: 'n',
    receiptNumber: 'EAC9999103403',
    nickname: 'Mom',
    formType: 'N-400',
    oldStatus,
    between,
    newStatus,
  };
  const { text } = compose(digest, { ...COMPLETE, changed: [one], unchanged }, addressed);
  expect(text.split('\n').map((each) => each.trim())).toContain(line);
});

test.each([
  ['en', 'less than a day in this status'],
  ['es', 'menos de un día en este estatus'],
] as const)('a case that has its status since today has it for no "0 days" (%s)', (language, words) => {
  const today = unchanged.map((one) => ({ ...one, days: 0 }));
  const { text } = compose(
    digest,
    { ...COMPLETE, changed: [], unchanged: today },
    { ...addressed, language },
  );
  expect(text).toContain(words);
});

test.each([
  ['en', 1, 'Case Was Received, at least 1 day in this status'],
  ['en', 0, 'Case Was Received\n'],
  ['es', 3, 'al menos 3 días en este estatus'],
] as const)(
  'a status without a date of the agency counts from when it was seen (%s, %i)',
  (language, days, words) => {
    const seen = unchanged.map((one) => ({ ...one, days, isAtLeast: true }));
    const { text } = compose(
      digest,
      { ...COMPLETE, changed: [], unchanged: seen },
      { ...addressed, language },
    );
    expect(text).toContain(words);
  },
);

test('without changes it says so in the subject and stays short', () => {
  const { subject, text } = compose(digest, { ...COMPLETE, changed: [], unchanged }, addressed);
  expect(subject).toBe('Casewatch: no change');
  expect(text).toContain('nothing has changed');
  expect(text).not.toContain('legal advice');
});

test('of very many cases 50 are written out and the rest is counted', () => {
  const many = Array.from({ length: 120 }, () => unchanged).flat();
  const { text } = compose(digest, { ...COMPLETE, changed: [], unchanged: many }, addressed);
  expect(text).toContain('No change: 120 cases');
  expect(text.match(/^- WAC/gm)).toHaveLength(50);
  expect(text).toContain('And 70 more in Casewatch.');
});

test.each([
  [50, undefined],
  [51, 'And 1 more in Casewatch.'],
])('of %i changed cases at most 50 are written out; the rest is counted: %s', (count, rest) => {
  const many = Array.from({ length: count }, () => changed).flat();
  const { text, subject } = compose(digest, { ...COMPLETE, changed: many, unchanged: [] }, addressed);
  expect(subject).toBe(`Casewatch: ${count} cases changed`);
  expect(text.match(/^Mom \(EAC\*{6}3403\)$/gm)).toHaveLength(50);
  expect(/^And .* in Casewatch\.$/m.exec(text)?.[0]).toBe(rest);
  expect(text).toContain('not legal advice');
});

test('it is sent to its reader, with the date of now, the day of its period and links to the product', () => {
  const mail = compose(digest, { ...COMPLETE, changed, unchanged }, addressed);
  expect(mail).toMatchObject({ to: 'ada@people.example', language: 'en', date: new Date(0) });
  expect(mail.text).toContain(
    'See your cases in Casewatch: https://casewatch.example.com/auth?next=%2Fsaved-cases#sign-in\n',
  );
  expect(mail.text).toContain('Stop digests: https://casewatch.example.com/unsubscribe#token');
  expect(mail.text).toContain('\n- WAC******3404: Case Was Received, 1 day in this status\n');
});

test.each([
  ['en', 'Casewatch: 60 or more cases changed', 'And more in Casewatch.'],
  ['es', 'Casewatch: 60 casos o más con cambios', 'Y más en Casewatch.'],
] as const)(
  'changes that were not read are not counted as if they were not there (%s)',
  (language, ...lines) => {
    const many = Array.from({ length: 60 }, () => changed).flat();
    const content = { ...COMPLETE, changed: many, hasMoreChanged: true, unchanged: [] };
    const { subject, text } = compose(digest, content, { ...addressed, language });
    expect([subject, ...text.split('\n')]).toEqual(expect.arrayContaining(lines));
  },
);

test.each([
  ['en', 'No change: at least 120 cases', 'And more in Casewatch.'],
  ['es', 'Sin cambios: al menos 120 casos', 'Y más en Casewatch.'],
] as const)(
  'what is left out of an overview is not counted as if it were not there (%s)',
  (language, ...lines) => {
    const many = Array.from({ length: 120 }, () => unchanged).flat();
    const content = { ...COMPLETE, changed: [], unchanged: many, hasMoreUnchanged: true };
    const { text } = compose(digest, content, { ...addressed, language });
    for (const line of lines) expect(text.split('\n')).toContain(line);
  },
);
