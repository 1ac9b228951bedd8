import { expect, test } from 'vitest';
import { foldStatus, isSameStatus } from './fold-status.ts';

const TITLE = "Response To USCIS' Request For Pre-Certification Was Received";

test.each([
  ['letter case', TITLE.toUpperCase()],
  ['white space', `  ${TITLE.replaceAll(' ', '\u00a0 \t\n')} `],
  ['a curly apostrophe', TITLE.replace("'", '’')],
  ['no apostrophe', TITLE.replace("'", '')],
  ['an acute accent as apostrophe', TITLE.replace("'", '´')],
  ['an en dash', TITLE.replace('-', '–')],
  ['a dash without width', TITLE.replace('-', '\u2011')],
  ['a final period', `${TITLE}.`],
  ['a comma', TITLE.replace(' For', ', For')],
  ['zero-width and soft characters', TITLE.replace('Request', 'Re\u200bqu\u00ade\ufeffst')],
  ['a change of direction', `\u202a${TITLE}\u202c`],
  ['control characters', TITLE.replace('Was', 'W\u0007as\u0000')],
  ['full-width letters', TITLE.replace('Was', 'Ｗａｓ')],
  ['no hyphen', TITLE.replace('-', '')],
  ['a possessive', TITLE.replace("'", '’s')],
  ['its helping verb', TITLE.replace('Was ', '')],
  ['a plural', TITLE.replace('Request', 'Requests')],
])('a title that differs only in %s is the same status', (_name, title) => {
  expect(title).not.toBe(TITLE);
  expect(foldStatus(title)).toBe(foldStatus(TITLE));
  expect(isSameStatus(title, TITLE)).toBe(true);
});

test.each([
  ['Case Was Approved', 'Case Was Denied'],
  ['Card Destroyed', 'Card Was Destroyed'],
  ['Interview Was Scheduled', 'Interview Was Rescheduled'],
  ['Document Was Mailed', 'Document Was Mailed To Me'],
  ['Document Was Mailed', 'Document Is Mailed'],
  ['Case Was Approved', 'Case Was Not Approved'],
  ['Form I-129 Was Received', 'Form I-129F Was Received'],
  ['Case Was Reopened', 'Case Will Be Reopened'],
  ['Caso recibido', 'Casó recibido'],
  ['???', '!!!'],
  ['Notice 1', 'Notice 2'],
])('%s is another status than %s', (one, other) => {
  expect(isSameStatus(one, other)).toBe(false);
});
