import { expect, test } from 'vitest';
import { normaliseFormType, readStatusAnswer } from './status-answer.ts';

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
  if ('problem' in found) throw new Error(found.problem);
  expect(found).toMatchObject({ status: 'Case Was Approved', description: 'We sent a notice.' });
  const { statusEs, descriptionEs, linksEs } = found;
  return { statusEs, descriptionEs, linksEs, historyEs: found.history.map((one) => one.statusEs) };
}

const NOTHING = { statusEs: null, descriptionEs: null, linksEs: [], historyEs: [null] };

test('Spanish texts are read like the English ones: plain text, and separate links to listed hosts', () => {
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
  const longest = `<b>${'x'.repeat(300)}</b>`;
  expect(read({ current_case_status_text_es: longest }).statusEs).toHaveLength(300);
  const long = `<b>${'x'.repeat(301)}</b>`;
  const spanish = { current_case_status_text_es: long, current_case_status_desc_es: 'Enviamos un aviso.' };
  expect(read(spanish, { completed_text_es: long })).toEqual({
    ...NOTHING,
    descriptionEs: 'Enviamos un aviso.',
  });
});

test('a text that repeats the English one is no translation', () => {
  const spanish = {
    current_case_status_text_es: 'CASE WAS APPROVED.',
    current_case_status_desc_es: `We sent ${LINK}a notice</a>.`,
  };
  expect(read(spanish, { completed_text_es: 'Case Was Received' })).toEqual(NOTHING);
});

const ANSWER = {
  receiptNumber: NUMBER,
  current_case_status_text_en: 'Case Was Approved',
  hist_case_status: [{ date: '2023-09-05', completed_text_en: 'Case Was Received' }],
};
/** As it comes over the wire: what is undefined is not there. */
const readAnswer = (change: object) =>
  readStatusAnswer(JSON.parse(JSON.stringify({ case_status: { ...ANSWER, ...change } })), NUMBER, []);

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
  ['an asterisk in another place', { receiptNumber: 'EAC9*99103403' }, 'about another case'],
  [
    'a receipt number of 41 characters',
    { receiptNumber: NUMBER.padEnd(41) },
    /^case_status\.receiptNumber: /,
  ],
  ['no receipt number', { receiptNumber: undefined }, /^case_status\.receiptNumber: .*received undefined$/],
  ['no title', { current_case_status_text_en: '' }, /^case_status\.current_case_status_text_en: Too small/],
  [
    'a number as title',
    { current_case_status_text_en: 7 },
    /^case_status\.current_case_status_text_en: .*expected string, received number$/,
  ],
  [
    'a title of hidden text',
    { current_case_status_text_en: '<script>x</script>' },
    'current_case_status_text_en: a title without text',
  ],
  [
    'a title of control characters',
    { current_case_status_text_en: '\u0000\u0007' },
    'current_case_status_text_en: a title without text',
  ],
  [
    'a title of 301 characters',
    { current_case_status_text_en: 'x'.repeat(301) },
    'current_case_status_text_en: a title of 301 characters',
  ],
  [
    'a title of 1,001 characters',
    { current_case_status_text_en: 'x'.repeat(1_001) },
    /^case_status\.current_case_status_text_en: Too big/,
  ],
])('an answer about or with %s is not believed, and says so', (_name, change, problem) => {
  const bad = { hist_case_status: {}, formType: 7, ...change };
  expect(readAnswer(bad)).toEqual({ problem: expect.stringMatching(problem) });
});

test('an answer that is none says so', () => {
  expect(readStatusAnswer('x', NUMBER, [])).toEqual({ problem: expect.stringMatching(/^body: /) });
});

test.each([
  ['a receipt number in small letters and spaces', { receiptNumber: ' eac9999103403 ' }],
  ['an asterisk in place of the first digit', { receiptNumber: 'EAC*999103403' }],
  ['a title of 300 characters', { current_case_status_text_en: 'x'.repeat(300) }],
  ['a form of 300 characters', { formType: 'x'.repeat(300) }],
])('an answer with %s is believed', (_name, change) => {
  expect(readAnswer(change)).toMatchObject({ receiptNumber: NUMBER });
});

/** What may stand in any field that the agency's interface has never had there. */
const UNREADABLE: [string, unknown][] = [
  ['a number', 7],
  ['a huge number', 1e300],
  ['true', true],
  ['a list', [['x']]],
  ['an object', { date: { date: { date: '2023-09-05' } } }],
  ['an object with a length', { length: 3, 0: 'x' }],
  ['20,001 characters', 'x'.repeat(20_001)],
  ['a megabyte', '<'.repeat(1_000_000)],
];

test.each([
  ...UNREADABLE,
  ['null', null],
  ['missing', undefined],
  ['an empty text', ''],
  ['control characters', '\u0000\u0007\u009f'],
])('no field but the title and the receipt number hides the status: %s', (_name, value) => {
  const others = Object.keys(EVERYTHING).filter((name) => !STRICT.includes(name));
  for (const name of others) {
    expect(readAnswer({ ...EVERYTHING, [name]: value }), name).toMatchObject({ status: 'Case Was Approved' });
  }
  expect(readAnswer(Object.fromEntries(others.map((name) => [name, value])))).toMatchObject({
    description: '',
    formType: '',
    petitionType: null,
    substatus: null,
    channelType: null,
    submittedDate: null,
    modifiedDate: null,
    statusEs: null,
    descriptionEs: null,
    linksEs: [],
    history: [],
  });
});

const STRICT = ['receiptNumber', 'current_case_status_text_en'];
const EVERYTHING = {
  ...ANSWER,
  formType: 'I-130',
  submittedDate: '2023-09-05',
  modifiedDate: '2023-09-06',
  applicationOrPetitionType: 'Petition',
  caseSubstatus: 'Decision',
  channelType: 'Lockbox',
  current_case_status_desc_en: 'We approved it.',
  current_case_status_text_es: 'El caso fue aprobado',
  current_case_status_desc_es: 'Lo aprobamos.',
};

test.each([
  ['null', null, true],
  ['an empty list', [], true],
  ['missing', undefined, false],
  ...UNREADABLE.filter(([, value]) => !Array.isArray(value)).map(([name, value]) => [name, value, false]),
])(
  'a history that is %s has no entries, and is whole only where the agency lists none',
  (_name, list, isWhole) => {
    expect(readAnswer({ hist_case_status: list })).toMatchObject({ history: [], isWholeHistory: isWhole });
  },
);

const RECEIVED = { date: '2023-09-05', completed_text_en: 'Case Was Received' };
const READ = { status: 'Case Was Received', statusEs: null, date: '2023-09-05' };

test.each([
  ...UNREADABLE.map(([name, value]): [string, unknown] => [`that is ${name}`, value]),
  ['that is null', null],
  ['without a title', { date: '2023-09-05' }],
  ['with an empty title', { ...RECEIVED, completed_text_en: '' }],
  ['with a title of white space', { ...RECEIVED, completed_text_en: ' &nbsp;\n' }],
  ['with a title of control characters', { ...RECEIVED, completed_text_en: '\u0000\u001b' }],
  ['with a title of hidden text', { ...RECEIVED, completed_text_en: '<script>x</script>' }],
  ['with a title of 301 characters', { ...RECEIVED, completed_text_en: 'x'.repeat(301) }],
  ...UNREADABLE.map(([name, value]): [string, unknown] => [
    `whose title is ${name}`,
    { ...RECEIVED, completed_text_en: value },
  ]),
])(
  'an entry of the history %s is left out, the others stay, and the history is not whole',
  (_name, entry) => {
    expect(readAnswer({ hist_case_status: [RECEIVED, entry, RECEIVED] })).toMatchObject({
      status: 'Case Was Approved',
      history: [READ, READ],
      isWholeHistory: false,
    });
  },
);

test.each([
  ...UNREADABLE,
  ['null', null],
  ['missing', undefined],
  ['41 characters', '2023-09-05'.padEnd(41, '0')],
  ['control characters', '\u0000'],
])('an entry whose date is %s has none', (_name, date) => {
  expect(readAnswer({ hist_case_status: [{ ...RECEIVED, date }] })).toMatchObject({
    history: [{ ...READ, date: null }],
    isWholeHistory: true,
  });
});

test('a date is plain text without control characters, as the agency writes it', () => {
  const date = ' \u0000<b>2023-09-05</b> ';
  const soon = 'soon'.padEnd(40, '!');
  expect(readAnswer({ submittedDate: date, modifiedDate: soon })).toMatchObject({
    submittedDate: '2023-09-05',
    modifiedDate: soon,
  });
});

test('the titles of a history count in both languages, up to exactly 100,000 characters', () => {
  const entry = { date: '2023-09-05', completed_text_en: 'x'.padEnd(1_000) };
  const lengthOf = (first: object) => {
    const history = [{ ...entry, ...first }, ...new Array<object>(99).fill(entry)];
    const status = { receiptNumber: NUMBER, current_case_status_text_en: 'x', hist_case_status: history };
    const found = readStatusAnswer({ case_status: status }, NUMBER, []);
    return 'problem' in found ? found.problem : [found.history.length, found.isWholeHistory];
  };
  expect(lengthOf({})).toEqual([100, true]);
  expect(lengthOf({ completed_text_es: 'y' })).toEqual([99, false]);
});

test('of thousands of entries the newest are read, and a limited number of characters', () => {
  const many = Array(5_000).fill(RECEIVED);
  const read = readAnswer({ hist_case_status: many });
  expect(read).toMatchObject({ status: 'Case Was Approved', isWholeHistory: false });
  expect('history' in read && read.history).toHaveLength(500);
  const long = Array(500).fill({ ...RECEIVED, completed_text_en: 'x'.repeat(300) });
  const cut = readAnswer({ hist_case_status: long });
  expect(cut).toMatchObject({ isWholeHistory: false });
  expect('history' in cut && cut.history).toHaveLength(333);
});

test.each([
  ['N400', 'N-400'],
  ['n-400', 'N-400'],
  [' i 129f ', 'I-129F'],
  ['EOIR29', 'EOIR-29'],
  ['I-485J', 'I-485J'],
  ['', ''],
  [' Letter of support ', 'Letter of support'],
  ['abcde-1', 'abcde-1'],
  ['Form i-130', 'Form i-130'],
  ['i-130 and more', 'i-130 and more'],
])('the form %j is written as %j', (written, shown) => {
  expect(normaliseFormType(written)).toBe(shown);
});
