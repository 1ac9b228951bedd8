import { expect, test } from 'vitest';
import { readTimes } from './run-stage.ts';
import { summary } from './summary.ts';

test('the very last line is the number of tests that passed and failed, below a table of all stages', () => {
  const results = [
    { name: 'lint', wallSeconds: 10, cpuSeconds: 5.54, passed: 1, failed: 0, failures: [] },
    { name: 'unit', wallSeconds: 9.5, cpuSeconds: undefined, passed: 640, failed: 2, failures: [] },
  ];
  expect(summary(results, { wallSeconds: 19.6 }).split('\n').slice(1)).toEqual([
    'stage  wall s  CPU s  passed  failed',
    'lint     10.0    5.5       1       0',
    'unit      9.5      –     640       2',
    'total    19.6    5.5     641       2',
    '',
    '641 passed, 2 failed',
  ]);
});

test('the CPU time of a stage is that of the shell’s children, as dash and bash write it', () => {
  expect(readTimes('0m0.00s 0m0.00s\n1m2.30s 0m4.20s\n')).toBeCloseTo(66.5);
  expect(readTimes('0m0.001s 0m0.003s\n0m0,250s 0m0,750s\n')).toBeCloseTo(1);
  expect(readTimes('')).toBeUndefined();
});
