import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const RAW = {
  // Paper is measured in points, which no screen has.
  'size of text': /^font-size: (?!var\(|inherit|\dpt)/,
  duration: /\d(?:ms|s)\b/,
  // A hairline (1px), and what grows with the text or the window (em, %, vw), is not of the scale; Bootstrap calculates with its own setting.
  space:
    /^(?!\$input-padding-y)(?:[\w$-]*(?:padding|margin|gap|inset|spacer)[\w-]*|top|right|bottom|left|@include [\w-]+)\s*[:(].*?(?<![\w.])(?!1px)[\d.]+(?:rem|px)/s,
};
const styles = globSync('**/*.scss', { cwd: 'web/src' }).filter((file) => !file.endsWith('_tokens.scss'));

test.each(Object.entries(RAW))('every %s is a token', (_what, raw) => {
  expect(styles.length).toBeGreaterThan(40);
  const found = styles.flatMap((file) =>
    readFileSync(`web/src/${file}`, 'utf8')
      .replaceAll(/\/\/.*/g, '')
      .split(/[;{}]/)
      .map((declaration) => declaration.trim())
      .filter((declaration) => raw.test(declaration))
      .map((declaration) => `${file}: ${declaration}`),
  );
  expect(found).toEqual([]);
});
