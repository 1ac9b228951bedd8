import { expect, test } from 'vitest';
import { paymentAppearance } from './payment-appearance.ts';

test('the payment form takes the colours of the theme in force', () => {
  const of = (theme: 'light' | 'dark') => paymentAppearance(theme, (name) => `${theme} ${name}`);
  expect(of('light')).toMatchObject({
    theme: 'stripe',
    variables: { colorBackground: 'light --cw-surface', colorText: 'light --cw-ink-strong' },
  });
  expect(of('dark')).toMatchObject({
    theme: 'night',
    variables: { colorBackground: 'dark --cw-surface', colorPrimary: 'dark --cw-primary' },
  });
});
