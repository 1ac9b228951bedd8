import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Paper is measured in points, which no screen has. */
const RAW = { 'size of text': /font-size: (?!var\(|inherit|\dpt)/, duration: /\d(?:ms|s)\b/ };
const styles = globSync('**/*.scss', { cwd: 'web/src' }).filter((file) => !file.endsWith('_tokens.scss'));

test.each(Object.entries(RAW))('every %s is a token', (_what, raw) => {
  expect(styles.length).toBeGreaterThan(40);
  const found = styles.flatMap((file) =>
    readFileSync(`web/src/${file}`, 'utf8')
      .split('\n')
      .filter((line) => raw.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
