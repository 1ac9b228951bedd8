import { expect, test } from 'vitest';
import { sampleLines } from './lines.ts';

const code = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `  const n${from + index} = ${index} + 1;`).join('\n');
const textsOf = (source: string, seed = 'a') =>
  sampleLines(new Map([['a.ts', source]]), { seed, count: 5 }).map(({ text }) => text);

test('the same seed gives the same lines, also when code is added around them', () => {
  const before = textsOf(code(0, 100));
  expect(before).toHaveLength(5);
  expect(textsOf(code(0, 100))).toEqual(before);
  expect(textsOf(`// moved\n\n${code(0, 100)}`)).toEqual(before);
  expect(textsOf(code(0, 100), 'b')).not.toEqual(before);
});

test('lines without code are not chosen', () => {
  const source = ["import x from 'x';", '/** Says so. */', ' * more', '  // why', '', '});', 'interface A {'];
  expect(textsOf([...source, 'return 1;'].join('\n'))).toEqual(['return 1;']);
});
