import { describe, expect, it } from 'vitest';
import { newQuestion, optionLines, questionBodyOf, questionTypeOf } from './question-form.ts';

it('a new question is a required text after those that are there', () => {
  expect(questionBodyOf({ ...newQuestion(3), questionText: ' Why? ' })).toEqual({
    questionText: 'Why?',
    questionType: 'text',
    options: [],
    orderIndex: 3,
    isRequired: true,
  });
});

describe('options', () => {
  it('are the lines that are not blank', () => {
    expect(optionLines(' Yes \n\n  \r\nNo\rMaybe')).toEqual(['Yes', 'No', 'Maybe']);
  });

  it('belong to choices alone', () => {
    const form = { ...newQuestion(0), options: 'A\nB' };
    expect(questionBodyOf(form).options).toEqual([]);
    expect(questionBodyOf({ ...form, questionType: 'radio' }).options).toEqual(['A', 'B']);
  });
});

it('an order that is no number is 0', () => {
  expect(questionBodyOf({ ...newQuestion(2), orderIndex: 'first' }).orderIndex).toBe(0);
});

it('an unknown type is text', () => {
  expect(questionTypeOf('slider')).toBe('text');
});
