import { LOG_VIEW_NAME_MAX } from '@casewatch/contracts/limits';
import { expect, test } from 'vitest';
import { renamedFor } from './browser-views.ts';

const view = (name: string, query = 'q=a') => ({ name, query });

test('a view keeps its name where the account has none of it, or the same view', () => {
  expect(renamedFor([view('Faults')], [view('Slow'), view('Faults')])).toEqual([
    view('Slow'),
    view('Faults'),
  ]);
});

test('a view whose name the account has for another one gets a free name, within the limit', () => {
  const long = 'x'.repeat(LOG_VIEW_NAME_MAX);
  const account = [view('Faults', 'q=b'), view('Faults (2)', 'q=c'), view(long, 'q=b')];
  const renamed = renamedFor(account, [view('Faults'), view('Faults (3)', 'q=d'), view(long)]);
  expect(renamed).toEqual([
    view('Faults (4)'),
    view('Faults (3)', 'q=d'),
    view(`${long.slice(0, LOG_VIEW_NAME_MAX - 4)} (2)`),
  ]);
});
