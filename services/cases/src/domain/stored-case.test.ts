import { expect, test } from 'vitest';
import { channelOf, type StoredAnswer, toCaseStatusResult } from './stored-case.ts';

const ANSWER: StoredAnswer = {
  observedAtMs: Date.parse('2026-01-05T12:00:00Z'),
  status: 'Case Was Approved',
  description: 'We approved it.',
  links: [],
  statusEs: null,
  descriptionEs: null,
  linksEs: [],
  formType: 'I-130',
  petitionType: null,
  substatus: null,
  channelType: null,
  submittedDate: null,
  modifiedDate: null,
  observations: [],
};

test('what the agency does not send is derived, and what it sends stands', () => {
  expect(toCaseStatusResult('EAC9999103403', ANSWER)).toMatchObject({
    applicationOrPetitionType: 'Petition for Alien Relative',
    applicationOrPetitionTypeEs: 'Petición de Familiar Extranjero',
    caseSubstatus: 'decision',
    needsAction: false,
    channelType: 'Vermont Service Center',
    observedAt: '2026-01-05T12:00:00.000Z',
    descriptionLinksEs: undefined,
  });
  const sent = { petitionType: 'Petition', substatus: 'Mailed', channelType: 'Lockbox' };
  const denied = { ...ANSWER, status: 'Case Was Denied.' };
  expect(toCaseStatusResult('EAC9999103403', denied).needsAction).toBe(true);
  expect(toCaseStatusResult('EAC9999103403', { ...ANSWER, ...sent })).toMatchObject({
    applicationOrPetitionType: 'Petition',
    caseSubstatus: 'Mailed',
    channelType: 'Lockbox',
  });
});

test.each([
  ['IOE', 'Online (IOE)'],
  ['EAC', 'Vermont Service Center'],
  ['VSC', 'Vermont Service Center'],
  ['WAC', 'California Service Center'],
  ['CSC', 'California Service Center'],
  ['LIN', 'Nebraska Service Center'],
  ['NSC', 'Nebraska Service Center'],
  ['SRC', 'Texas Service Center'],
  ['TSC', 'Texas Service Center'],
  ['MSC', 'National Benefits Center'],
  ['NBC', 'National Benefits Center'],
  ['YSC', 'Potomac Service Center'],
  ['ZZZ', 'Other (ZZZ)'],
])('a receipt number that begins with %s was filed at: %s', (prefix, office) => {
  expect(channelOf(`${prefix}9999103403`)).toBe(office);
});
