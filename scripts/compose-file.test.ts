import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('`docker compose up` without the secrets says what to run, whichever it misses first', () => {
  const missing = [...read('docker-compose.yml').matchAll(/:\?([^}]*)\}/g)].map(([, said]) => said);
  expect(missing.length).toBeGreaterThan(10);
  expect(new Set(missing)).toEqual(new Set(['run npm run compose']));
});

test.each(['.gitignore', '.dockerignore'])('%s leaves out what the guide writes', (file) => {
  const lines = read(file).split('\n');
  for (const name of [
    /^\/?secrets\/?$/,
    /^\/?values\*\.yaml$/,
    /\*\.dump$/,
    /\*\.pem$/,
    /\*\.key$/,
    /\.env\*|\.env\.\*/,
  ])
    expect(
      lines.filter((line) => name.test(line)),
      String(name),
    ).toHaveLength(1);
});
