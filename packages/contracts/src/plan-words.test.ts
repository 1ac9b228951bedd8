import { expect, test } from 'vitest';
import './es/texts.ts';
import { PLAN_END_REASONS, PLAN_MILESTONES } from './limits.ts';
import { STOPPABLE_MAILS, stoppableMailName } from './notification-choices.ts';
import { endReason, planWords } from './plan-words.ts';

const NEWS = PLAN_MILESTONES.flatMap((milestone) =>
  PLAN_END_REASONS.map((reason) => ({ milestone, reason })),
);

test.each(NEWS)(
  '$milestone ($reason) has each of its words in Spanish, and leads to the same page',
  (news) => {
    const english = planWords(news, 'X');
    const spanish = planWords(news, 'X', 'es');
    expect(spanish.title).not.toBe(english.title);
    expect(spanish.text).not.toBe(english.text);
    expect(spanish.action.label).not.toBe(english.action.label);
    expect(spanish.action.path).toBe(english.action.path);
    const says = (text: string) => text.includes('X');
    expect([spanish.title, spanish.text].map(says)).toEqual([english.title, english.text].map(says));
  },
);

test('why Pro ended, and what a link in an e-mail stops, is said in both languages', () => {
  for (const reason of PLAN_END_REASONS) {
    expect(endReason(reason, 'es')).not.toBe(endReason(reason, 'en'));
    expect(planWords({ milestone: 'pro-ended', reason }, 'X', 'es').text).toContain(endReason(reason, 'es'));
  }
  for (const kind of ['status', 'needsAction', 'digest'] as const) {
    expect(stoppableMailName(kind, 'en')).toBe(STOPPABLE_MAILS[kind]);
    expect(stoppableMailName(kind, 'es')).not.toBe(STOPPABLE_MAILS[kind]);
  }
});
