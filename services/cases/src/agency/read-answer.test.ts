import { expect, test } from 'vitest';
import type { CaseAnswer, KnownAnswer } from '../domain/agency.ts';
import { READING, readAnswer } from './read-answer.ts';

const NUMBER = 'EAC9999103403';
const HOSTS = ['uscis.gov'];
const LOGGED = { callId: '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11', endedAtMs: 1 };

/** Something of everything that is converted. */
const ANSWER = {
  receiptNumber: 'EAC*999103403',
  formType: 'I130',
  submittedDate: ' 09-05-2023 14:28:46 ',
  modifiedDate: '09-06-2023 14:28:46',
  applicationOrPetitionType: 'Petition &amp; more',
  caseSubstatus: null,
  current_case_status_text_en: ' Case <b>Was</b> Approved&#32;',
  current_case_status_desc_en:
    '<p>On September 6, we sent <a href="https://my.uscis.gov/x?a=1&amp;b=2">a notice</a>.</p><script>1</script>Call <a href="https://evil.example/">us</a>.',
  current_case_status_text_es: 'El caso fue aprobado',
  current_case_status_desc_es: 'Enviamos <a href="https://www.uscis.gov/es">un aviso</a>.',
  hist_case_status: [
    { date: '2023-09-05', completed_text_en: 'Case Was Received', completed_text_es: 'El caso fue recibido' },
    { date: null, completed_text_en: 'Fee &lt;Paid&gt;' },
  ],
};
const textOf = (answer: object) => JSON.stringify({ case_status: answer });
const replyOf = (body: string, facts: object = {}) =>
  ({ kind: 'answer', status: 200, isHtml: false, isUtf8: true, body, ...facts }) as const;

function read(body: string, known?: KnownAnswer, { hosts = HOSTS, facts = {} } = {}): CaseAnswer {
  const result = readAnswer(replyOf(body, facts), NUMBER, hosts, known);
  if (result.kind !== 'case') return expect.fail(JSON.stringify(result));
  return result.case;
}

const knownOf = (
  { status, factsHash, answerHash }: CaseAnswer,
  logged?: KnownAnswer['logged'],
): KnownAnswer => ({
  status,
  factsHash,
  answerHash,
  logged,
});

test('the same text is recognized without being read, and can be read', () => {
  const first = read(textOf(ANSWER));
  expect(first.sameAs).toBeUndefined();
  // The stored status differs from that in the text: returned, it shows that the text was not parsed.
  const known = { ...knownOf(first, LOGGED), status: 'As it is stored' };
  const again = read(textOf(ANSWER), known);
  const { logged: sameAs, ...answer } = known;
  expect(again).toMatchObject({ ...answer, sameAs });
  expect(again.facts()).toEqual(first.facts());
});

test('an answer without a row of the log is recognized as well, and names none', () => {
  const known = { ...knownOf(read(textOf(ANSWER))), status: 'As it is stored' };
  const again = read(textOf(ANSWER), known);
  expect(again.status).toBe('As it is stored');
  expect(again.sameAs).toBeUndefined();
});

const KNOWN = knownOf(read(textOf(ANSWER)), LOGGED);
test.each<[string, Parameters<typeof read>]>([
  ['a text that differs, even in nothing that counts', [`${textOf(ANSWER)} `, KNOWN]],
  ['stored facts that are not those of the text', [textOf(ANSWER), { ...KNOWN, factsHash: 'others' }]],
  ['a text that others have stored', [textOf(ANSWER), { ...KNOWN, answerHash: 'others' }]],
  ['other hosts whose links are kept', [textOf(ANSWER), KNOWN, { hosts: ['gov'] }]],
])('%s is read', (_name, [body, known, options]) => {
  const stored = known && { ...known, status: 'As it is stored' };
  expect(read(body, stored, options)).toMatchObject({ status: 'Case Was Approved' });
  expect(read(body, stored, options).sameAs).toBeUndefined();
});

test.each([
  ['with another status', { status: 500 }, { kind: 'unexpected' }],
  ['of broken bytes', { isUtf8: false }, { kind: 'unreadable', detail: 'not UTF-8' }],
])('the same text %s is not the same answer', (_name, facts, failure) => {
  expect(readAnswer(replyOf(textOf(ANSWER), facts), NUMBER, HOSTS, KNOWN)).toEqual({
    kind: 'failure',
    failure: expect.objectContaining(failure),
  });
});

test('answers that say the same have the same facts, and each its own text', () => {
  const { receiptNumber, ...others } = ANSWER;
  const [one, other] = [textOf({ receiptNumber, ...others }), textOf({ ...others, receiptNumber })].map(
    (text) => read(text),
  );
  expect(one?.factsHash).toBe(other?.factsHash);
  expect(one?.answerHash).not.toBe(other?.answerHash);
  const without = read(textOf({ ...ANSWER, hist_case_status: ANSWER.hist_case_status.slice(1) }));
  expect(without.factsHash).not.toBe(one?.factsHash);
});

test('what is read of a text is what it was when READING was raised last', () => {
  // Where this fails, an answer is read differently than before: raise READING, so that those in store are read again, and put both here.
  expect([READING, read(textOf(ANSWER)).factsHash]).toEqual([1, 'RyPa6+gYJu0iRFGR0hq6KKCprDM=']);
});
