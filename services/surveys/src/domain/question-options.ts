import type { QuestionType } from '@casewatch/contracts/limits';
import { invalid } from './refusals.ts';

/** What people can choose from, each once; none for texts. @throws AppError VALIDATION for a choice from nothing */
export function optionsFor(type: QuestionType, given: readonly string[]): string[] {
  if (type === 'text') return [];
  if (given.length === 0) throw invalid('options', 'Add at least one option.');
  return [...new Set(given)];
}
