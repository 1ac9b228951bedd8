import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import { plain } from './cells.ts';

const EVERY =
  '(?:(?:every|each|once a|once per|per|a|cada|todos los|todas las|una vez al|una vez a la|una vez por|por|al) )?(?:1 |one |una? )?';
const WORDS: readonly (readonly [frequency: MonitoringFrequency, pattern: RegExp])[] = [
  [
    'none',
    /^(?:none|never|no|off|na|n a|not monitored|ningun[ao]?|nunca|sin(?: monitoreo)?|desactivad[oa])?$/,
  ],
  ['daily', new RegExp(`^${EVERY}(?:daily|days?|24 (?:h|hours|horas)|dia|dias|diari[ao]|diariamente)$`)],
  ['weekly', new RegExp(`^${EVERY}(?:weekly|week|7 (?:days|dias)|semana|semanas|semanal|semanalmente)$`)],
  ['monthly', new RegExp(`^${EVERY}(?:monthly|month|30 (?:days|dias)|mes|mensual|mensualmente)$`)],
];

/** Returns the frequency that words in English or Spanish mean; undefined for any others. */
export function frequencyOf(text: string): MonitoringFrequency | undefined {
  const words = plain(text);
  return WORDS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** Returns whether a text is a frequency for sure: "no" alone may be an answer to anything. */
export function isFrequencyWord(text: string): boolean {
  const frequency = frequencyOf(text);
  return frequency === 'none' ? /^(?:none|ningun)/.test(plain(text)) : frequency !== undefined;
}
