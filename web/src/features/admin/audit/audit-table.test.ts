import { expect, it } from 'vitest';
import { roleWords } from './audit-table.tsx';

it('roles read as words, and one that is not known as it is', () => {
  expect([roleWords('survey-editor'), roleWords('janitor')]).toEqual(['Survey editor', 'janitor']);
});
