import { expect, test } from 'vitest';
import { momentIn } from './texts.ts';

test.each([
  ['2026-01-05T18:28:00Z', '5 de enero de 2026 a la 1:28 p.m. EST'],
  ['2026-01-05T06:05:00Z', '5 de enero de 2026 a la 1:05 a.m. EST'],
  ['2026-01-05T16:28:00Z', '5 de enero de 2026 a las 11:28 a.m. EST'],
])('%s reads in Spanish as it is said, in the time zone of its reader', (moment, text) => {
  const shown = momentIn('es', new Date(moment), 'America/New_York').replaceAll(/[\u00a0\u202f]/g, ' ');
  expect(shown).toBe(text);
});
