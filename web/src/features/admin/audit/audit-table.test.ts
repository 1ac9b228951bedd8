import { expect, it } from 'vitest';
import { detailWords, roleWords } from './audit-table.tsx';

it('roles read as words, and one that is not known as it is', () => {
  expect([roleWords('survey-editor'), roleWords('janitor')]).toEqual(['Survey editor', 'janitor']);
});

it('details have names that people write', () => {
  expect(['receiptNumber', 'is_active', 'format', 'login-trigger'].map(detailWords)).toEqual([
    'Receipt number',
    'Is active',
    'Format',
    'Login trigger',
  ]);
});
