import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { afterEach, expect, it } from 'vitest';
import { count } from './format-number.ts';

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

it('writes numbers as people in the US do, in either language', () => {
  expect(count(12_345)).toBe('12,345');
  i18n.loadAndActivate({ locale: 'es', messages: {} });
  expect(count(12_345)).toBe('12,345');
});

it('reads texts of the app in tests without a browser', () => {
  const cases = 2;
  expect(t`You have ${plural(cases, { one: '# case', other: '# cases' })}`).toBe('You have 2 cases');
});
