import { expect, test } from 'vitest';
import './es/texts.ts';
import { PLAN_END_REASONS, PLAN_MILESTONES } from './limits.ts';
import { planWords } from './plan-words.ts';
import type { PriceChange } from './translations.ts';

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

test('a change of the price names the old one, the new one and the day', () => {
  const monthly = { oldCents: 900, newCents: 1250, yearly: false } as const;
  const yearly = { oldCents: 9000, newCents: 10800, yearly: true } as const;
  const textOf = (priceChange: PriceChange, language: 'en' | 'es') =>
    planWords({ milestone: 'price-changing', priceChange }, 'March 1, 2026', language).text;
  expect(textOf(monthly, 'en')).toContain(
    'Pro will cost $12.50 a month instead of $9. You pay the new price from',
  );
  expect(textOf(monthly, 'en')).toContain('on or after March 1, 2026.');
  // Who pays tax, or has a discount, pays neither of them.
  expect(textOf(monthly, 'en')).toContain('Both prices are before any tax or discount.');
  expect(textOf(monthly, 'es')).toContain('Ambos precios son antes de impuestos y descuentos.');
  expect(textOf(yearly, 'en')).toContain('$108 a year instead of $90');
  expect(textOf(monthly, 'es')).toContain('Pro costará $12.50 al mes en lugar de $9. Usted paga');
  expect(textOf(yearly, 'es')).toContain('$108 al año en lugar de $90');
});

test('each reason for the end of Pro has a Spanish text', () => {
  const texts = PLAN_END_REASONS.map(
    (reason) => planWords({ milestone: 'pro-ended', reason }, 'X', 'es').text,
  );
  expect(new Set(texts).size).toBe(PLAN_END_REASONS.length);
});
