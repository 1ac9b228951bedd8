import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { describe, expect, it } from 'vitest';
import { answersOf, entryFor, inOrder, unansweredRequired, withChoice } from './survey-answers.ts';

const text = question({ id: 'text', questionType: 'text' });
const radio = question({ id: 'radio', questionType: 'radio', options: ['Yes', 'No'] });
const checkbox = question({ id: 'checkbox', questionType: 'checkbox', options: ['A', 'B', 'C'] });

describe('unansweredRequired', () => {
  it('names every required question without an answer, in order', () => {
    expect(unansweredRequired([text, radio, checkbox], {})).toEqual([text, radio, checkbox]);
  });

  it('takes white space for no answer', () => {
    expect(unansweredRequired([text], { text: { text: ' \n\t', options: [] } })).toEqual([text]);
    expect(unansweredRequired([text], { text: { text: ' x ', options: [] } })).toEqual([]);
  });

  it('leaves out questions that are not required', () => {
    expect(unansweredRequired([{ ...text, isRequired: false }], {})).toEqual([]);
  });

  it('does not count an option that the question no longer offers', () => {
    expect(unansweredRequired([radio], { radio: { text: '', options: ['Maybe'] } })).toEqual([radio]);
  });
});

describe('withChoice', () => {
  it('keeps one option of a radio question', () => {
    const yes = withChoice({ text: '', options: [] }, radio, 'Yes');
    expect(withChoice(yes, radio, 'No').options).toEqual(['No']);
  });

  it('adds and removes options of a checkbox question, in its order', () => {
    const c = withChoice({ text: '', options: [] }, checkbox, 'C');
    const ac = withChoice(c, checkbox, 'A');
    expect(ac.options).toEqual(['A', 'C']);
    expect(withChoice(ac, checkbox, 'C').options).toEqual(['A']);
  });
});

describe('answersOf', () => {
  it('sends texts trimmed, options as lists, and nothing for what was left open', () => {
    const entries = {
      text: { text: ' fine ', options: [] },
      radio: { text: '', options: ['Yes'] },
      checkbox: { text: '', options: [] },
    };
    expect(answersOf([text, radio, checkbox], entries)).toEqual([
      { questionId: 'text', responseText: 'fine' },
      { questionId: 'radio', responseOptions: ['Yes'] },
    ]);
  });
});

it('keeps what fits a question that has changed', () => {
  const entries = { checkbox: { text: '', options: ['A', 'B'] } };
  expect(entryFor(entries, { ...checkbox, options: ['B', 'D'] }).options).toEqual(['B']);
});

it('sorts questions by their order and leaves equal ones as they came', () => {
  const [a, b, c] = [
    question({ id: 'a', orderIndex: 2 }),
    question({ id: 'b', orderIndex: 0 }),
    question({ id: 'c', orderIndex: 0 }),
  ];
  expect(inOrder([a, b, c]).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
});

function question(facts: Partial<SurveyQuestion>): SurveyQuestion {
  return {
    id: 'q',
    surveyId: 's',
    questionText: 'How is it?',
    questionType: 'text',
    options: [],
    orderIndex: 0,
    isRequired: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...facts,
  };
}
