import { expect, test } from 'vitest';
import './es/texts.ts';
import { PLAN_END_REASONS, PLAN_MILESTONES } from './limits.ts';
import { planWords } from './plan-words.ts';

const CHANGES = PLAN_MILESTONES.flatMap((milestone) =>
  PLAN_END_REASONS.map((reason) => ({ milestone, reason })),
);

test.each(CHANGES)(
  '$milestone ($reason) has each of its words in Spanish, and leads to the same page',
  (change) => {
    const english = planWords(change, 'X');
    const spanish = planWords(change, 'X', 'es');
    expect(spanish.title).not.toBe(english.title);
    expect(spanish.text).not.toBe(english.text);
    expect(spanish.action.label).not.toBe(english.action.label);
    expect(spanish.action.path).toBe(english.action.path);
    const says = (text: string) => text.includes('X');
    expect([spanish.title, spanish.text].map(says)).toEqual([english.title, english.text].map(says));
  },
);

test('each reason for the end of Pro has a Spanish text', () => {
  const texts = PLAN_END_REASONS.map(
    (reason) => planWords({ milestone: 'pro-ended', reason }, 'X', 'es').text,
  );
  expect(new Set(texts).size).toBe(PLAN_END_REASONS.length);
});
