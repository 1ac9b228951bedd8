import { expect, test } from 'vitest';
import { readStatusAnswer } from './status-answer.ts';

const NUMBER = 'EAC9999103403';
const LINK = '<a href="https://my.uscis.gov/">';

/** What is read of an answer with these Spanish texts. */
function read(spanish: object, entry: object = {}) {
  const history = [{ date: '2023-09-05', completed_text_en: 'Case Was Received', ...entry }];
  const answer = {
    receiptNumber: NUMBER,
    current_case_status_text_en: 'Case Was Approved',
    current_case_status_desc_en: `We sent ${LINK}a notice</a>.`,
    hist_case_status: history,
    ...spanish,
  };
  const found = readStatusAnswer({ case_status: answer }, NUMBER, ['uscis.gov']);
  if ('fault' in found) throw new Error(found.fault);
  expect(found).toMatchObject({ status: 'Case Was Approved', description: 'We sent a notice.' });
  const { statusEs, descriptionEs, linksEs } = found;
  return { statusEs, descriptionEs, linksEs, historyEs: found.history.map((one) => one.statusEs) };
}

const NOTHING = { statusEs: null, descriptionEs: null, linksEs: [], historyEs: [null] };

test('Spanish texts are read like the English ones: plain text, and links to listed hosts beside it', () => {
  const found = read(
    {
      current_case_status_text_es: ' El caso fue <b>aprobado</b>&#32;',
      current_case_status_desc_es: `<p>Enviamos ${LINK}un aviso</a> a <a href="https://evil.example/">usted</a>.</p>`,
    },
    { completed_text_es: 'El caso fue recibido' },
  );
  expect(found).toEqual({
    statusEs: 'El caso fue aprobado',
    descriptionEs: 'Enviamos un aviso a usted.',
    linksEs: [{ text: 'un aviso', href: 'https://my.uscis.gov/' }],
    historyEs: ['El caso fue recibido'],
  });
});

test.each([
  ['missing', undefined],
  ['null', null],
  ['a number', 7],
  ['a list', ['El caso fue aprobado']],
  ['an object', { text: 'El caso fue aprobado' }],
  ['empty', ''],
  ['white space', ' \n&nbsp; '],
  ['hidden text', '<script>El caso fue aprobado</script>'],
  ['too long as it is sent', 'x'.repeat(20_001)],
])('an answer whose Spanish texts are %s stands without them', (_name, text) => {
  const spanish = { current_case_status_text_es: text, current_case_status_desc_es: text };
  expect(read(spanish, { completed_text_es: text })).toEqual(NOTHING);
});

test('a Spanish title that is too long to show is left out, and the description stays', () => {
  const long = `<b>${'x'.repeat(301)}</b>`;
  const spanish = { current_case_status_text_es: long, current_case_status_desc_es: 'Enviamos un aviso.' };
  expect(read(spanish, { completed_text_es: long })).toEqual({
    ...NOTHING,
    descriptionEs: 'Enviamos un aviso.',
  });
});

test('a text that repeats the English one is no translation', () => {
  const spanish = {
    current_case_status_text_es: 'Case Was Approved',
    current_case_status_desc_es: `We sent ${LINK}a notice</a>.`,
  };
  expect(read(spanish, { completed_text_es: 'Case Was Received' })).toEqual(NOTHING);
});

const ANSWER = {
  receiptNumber: NUMBER,
  current_case_status_text_en: 'Case Was Approved',
  hist_case_status: [{ date: '2023-09-05', completed_text_en: 'Case Was Received' }],
};
const readAnswer = (change: object) =>
  readStatusAnswer({ case_status: { ...ANSWER, ...change } }, NUMBER, []);

test('what the agency sends of a case is read as plain text, and what it leaves out is nothing', () => {
  expect(readAnswer({})).toMatchObject({
    description: '',
    formType: '',
    petitionType: null,
    substatus: null,
    channelType: null,
    submittedDate: null,
    modifiedDate: null,
    history: [{ status: 'Case Was Received', date: '2023-09-05' }],
  });
  const sent = {
    formType: 'i130',
    applicationOrPetitionType: '<b>Petition</b> for Alien Relative',
    caseSubstatus: ' Decision ',
    channelType: 'Lockbox',
    submittedDate: ' 2023-09-05 ',
    modifiedDate: ' ',
    hist_case_status: null,
  };
  expect(readAnswer(sent)).toMatchObject({
    formType: 'I-130',
    petitionType: 'Petition for Alien Relative',
    substatus: 'Decision',
    channelType: 'Lockbox',
    submittedDate: '2023-09-05',
    modifiedDate: null,
    history: [],
  });
});

test.each([
  ['another case', { receiptNumber: 'EAC9999103404' }, 'about another case'],
  ['another case with an asterisk', { receiptNumber: 'EAC*999103404' }, 'about another case'],
  ['an asterisk elsewhere', { receiptNumber: 'EAC9*99103403' }, 'about another case'],
  [
    'a receipt number of 41 characters',
    { receiptNumber: NUMBER.padEnd(41) },
    /^case_status\.receiptNumber: /,
  ],
  ['a form of 301 characters', { formType: 'x'.repeat(301) }, /^case_status\.formType: /],
  ['a date of 41 characters', { modifiedDate: 'x'.repeat(41) }, /^case_status\.modifiedDate: /],
  ['no title', { current_case_status_text_en: '' }, /^case_status\.current_case_status_text_en: /],
  [
    'a title of 301 characters',
    { current_case_status_text_en: 'x'.repeat(301) },
    'a title of 301 characters',
  ],
  [
    'a title without text in its history',
    { hist_case_status: [{ completed_text_en: '<script>x</script>' }] },
    'a title without text',
  ],
  ['501 entries of history', { hist_case_status: Array(501).fill(7) }, /hist_case_status: Too big/],
])('an answer about or with %s is not believed', (_name, change, fault) => {
  expect(readAnswer(change)).toEqual({ fault: expect.stringMatching(fault) });
});

test('an answer that is none says so', () => {
  expect(readStatusAnswer('x', NUMBER, [])).toEqual({ fault: expect.stringMatching(/^body: /) });
});

test.each([
  ['a receipt number in small letters and spaces', { receiptNumber: ' eac9999103403 ' }],
  ['an asterisk in place of the first digit', { receiptNumber: 'EAC*999103403' }],
  ['a title of 300 characters', { current_case_status_text_en: 'x'.repeat(300) }],
  ['a form of 300 characters', { formType: 'x'.repeat(300) }],
  ['500 entries of history', { hist_case_status: Array(500).fill({ completed_text_en: 'x' }) }],
])('an answer with %s is believed', (_name, change) => {
  expect(readAnswer(change)).toMatchObject({ receiptNumber: NUMBER });
});
