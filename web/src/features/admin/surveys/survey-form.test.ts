import type { Survey } from '@casewatch/contracts/surveys';
import { describe, expect, it } from 'vitest';
import { frequencyOf, NEW_SURVEY, surveyBodyOf, surveyFormOf, wholeNumber } from './survey-form.ts';

const survey: Survey = {
  id: '0198c0de-0000-7000-8000-000000000001',
  title: 'How are we doing?',
  description: null,
  isActive: true,
  startDate: '2026-03-01T09:30:00.000Z',
  endDate: null,
  frequency: 'weekly',
  loginTrigger: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 4,
};

it('a new survey is inactive, by login count, due at the first sign-in', () => {
  expect(surveyBodyOf({ ...NEW_SURVEY, title: ' New ' }, null)).toEqual({
    title: 'New',
    description: null,
    isActive: false,
    frequency: 'daily',
    loginTrigger: 1,
    startDate: null,
    endDate: null,
  });
});

describe('the dates of a survey', () => {
  it('keep their time of day when they are not touched', () => {
    expect(surveyBodyOf(surveyFormOf(survey), survey).startDate).toBe('2026-03-01T09:30:00.000Z');
  });

  it('are the day that was chosen, or none', () => {
    const form = { ...surveyFormOf(survey), startDate: '2026-04-01', endDate: '2026-05-01' };
    expect(surveyBodyOf(form, survey)).toMatchObject({ startDate: '2026-04-01', endDate: '2026-05-01' });
    expect(surveyBodyOf({ ...form, startDate: '' }, survey).startDate).toBeNull();
  });
});

describe('wholeNumber', () => {
  it.each([
    ['7', 7],
    ['0', 0],
    ['-2', -2],
    ['2.9', 2],
    ['', 1],
    ['many', 1],
  ])('reads %j as %d', (text, value) => {
    expect(wholeNumber(text, 1)).toBe(value);
  });
});

it('a login number that is not shown can’t be wrong', () => {
  const form = { ...NEW_SURVEY, loginTrigger: '0' };
  expect(surveyBodyOf(form, null).loginTrigger).toBe(0);
  expect(surveyBodyOf({ ...form, frequency: 'weekly' }, null).loginTrigger).toBe(1);
});

it('an unknown frequency is daily', () => {
  expect(frequencyOf('hourly')).toBe('daily');
  expect(frequencyOf('monthly')).toBe('monthly');
});
