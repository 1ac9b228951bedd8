import { expect, test } from 'vitest';
import { judge, type Mutant, scoreOf, survivorsOf } from './budget.ts';

const SOURCE = 'const a = 1;\nif (a < 2) go();\nif (a < 2) stay();\n';
const mutant = (line: number, status: string, replacement = 'a <= 2'): Mutant => ({
  fileName: 'a.ts',
  mutatorName: 'EqualityOperator',
  replacement,
  status,
  location: { start: { line, column: 5 }, end: { line, column: 10 } },
});
const names = (mutants: Mutant[]) => survivorsOf(mutants, SOURCE);

test('a survivor is named by what changed, with a number where two are equal', () => {
  expect(names([mutant(3, 'NoCoverage'), mutant(2, 'Survived'), mutant(2, 'Killed', 'true')])).toEqual([
    'EqualityOperator: a < 2 -> a <= 2',
    'EqualityOperator: a < 2 -> a <= 2 (2)',
  ]);
});

test('a mutant that hangs counts as killed; one that could not run does not count', () => {
  const mutants = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'RuntimeError', 'Ignored'].map((status) =>
    mutant(2, status),
  );
  expect(scoreOf(mutants)).toEqual({ killed: 2, total: 4 });
});

test('a survivor that the budget does not name is added; one that is named and killed is removed', () => {
  const of = (...survivors: string[]) => ({ killed: 0, total: 2, survivors });
  const budget = { 'a.ts': of('known', 'killed since'), 'not-run.ts': of('other') };
  expect(judge(budget, { 'a.ts': of('known', 'new') })).toEqual({
    added: ['a.ts: new'],
    removed: ['a.ts: killed since'],
    entering: [],
  });
  expect(judge(budget, { 'a.ts': of('known', 'killed since') })).toEqual({
    added: [],
    removed: [],
    entering: [],
  });
});

test('a file that gets its first unit test enters the budget with the survivors that it has', () => {
  const first = { killed: 1, total: 2, survivors: ['first'] };
  expect(judge({}, { 'b.ts': first })).toEqual({ added: [], removed: [], entering: ['b.ts'] });
});
