import type { StageResult } from './run-stage.ts';

/** Returns the table of stages and, as the very last line, `N passed, N failed`. */
export function summary(results: readonly StageResult[], { wallSeconds }: { wallSeconds: number }): string {
  const sum = (of: (result: StageResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const passed = sum((result) => result.passed);
  const failed = sum((result) => result.failed);
  const rows = [
    ...results,
    { name: 'total', wallSeconds, cpuSeconds: sum(({ cpuSeconds = 0 }) => cpuSeconds), passed, failed },
  ].map(({ name, wallSeconds: wall, cpuSeconds, passed: good, failed: bad }) => [
    name,
    wall.toFixed(1),
    cpuSeconds?.toFixed(1) ?? '–',
    String(good),
    String(bad),
  ]);
  const table = [['stage', 'wall s', 'CPU s', 'passed', 'failed'], ...rows];
  const width = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0));
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column))))
      .join('  '),
  );
  return `\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`;
}
