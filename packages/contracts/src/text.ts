import { z } from 'zod';
import type { FieldMessage } from './field-texts.ts';
import { visiblePattern } from './visible-text.ts';

export interface TextRules {
  /** At least one character that is no space; unless given, the text may be empty. */
  required?: FieldMessage;
  /** The most characters after trimming, and what to say of more. */
  max: readonly [characters: number, tooLong: FieldMessage];
  /** What to say of a control character; unless given, all but NUL are fine. */
  oneLine?: FieldMessage;
  /** What to say of a character that can't be seen (`visible-text.ts`), a control character too unless `oneLine` does. */
  invisible?: FieldMessage;
  /** What to say of a character that can't be stored. */
  notStorable?: FieldMessage;
  /** Spaces at either end are part of it; unless given, they are cut off. */
  untrimmed?: true;
  /** For the OpenAPI document. */
  example?: string;
}

/** The error for NUL and half a surrogate pair, which PostgreSQL's text can't hold. */
const NOT_STORABLE = 'not-storable';
/** With the flag `u` a whole surrogate pair is one character of another kind. */
const HALF_A_PAIR = /\p{Surrogate}/u;
/** For the OpenAPI document. */
const INVISIBLE_RULE =
  'Without invisible characters, except joiners and variation selectors where a script or an emoji needs them.';
const NUL = '\\u0000';
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
const SEEN = new RegExp(visiblePattern(''), 'u');
const SEEN_ON_A_LINE = new RegExp(visiblePattern(CONTROLS), 'u');

/**
 * Returns a schema of text that a person writes, and that can be stored. Characters are counted as JSON Schema counts them, by code points,
 * so that a client that keeps to the OpenAPI document is never refused.
 */
export function text(rules: TextRules) {
  const { required, max, oneLine, invisible, notStorable = NOT_STORABLE, untrimmed, example } = rules;
  const [most, tooLong] = max;
  const bad = oneLine === undefined && invisible === undefined ? NUL : CONTROLS;
  const unfit = new RegExp(`[${oneLine === undefined ? NUL : CONTROLS}]`);
  const seen = oneLine === undefined ? SEEN_ON_A_LINE : SEEN;
  return (untrimmed ? z.string() : z.string().trim())
    .refine((value) => required === undefined || value !== '', required)
    .refine((value) => countCharacters(value) <= most, tooLong)
    .refine((value) => !HALF_A_PAIR.test(value) && !unfit.test(value), oneLine ?? notStorable)
    .refine((value) => invisible === undefined || seen.test(value), invisible)
    .meta({
      ...(required === undefined ? {} : { minLength: 1 }),
      maxLength: most,
      pattern: characterPattern(bad, required !== undefined),
      ...(invisible === undefined ? {} : { description: INVISIBLE_RULE }),
      ...examplesOf(example),
    });
}

export interface SecretRules {
  /** The fewest characters, and what to say of fewer. */
  min: readonly [characters: number, tooShort: FieldMessage];
  max: readonly [characters: number, tooLong: FieldMessage];
  example?: string;
}

/** Returns the schema of a secret, taken as it is whatever its characters, of limited length. */
export function secret({ min: [least, tooShort], max: [most, tooLong], example }: SecretRules) {
  return z
    .string()
    .refine((value) => countCharacters(value) >= least, tooShort)
    .refine((value) => countCharacters(value) <= most, tooLong)
    .meta({ minLength: least, maxLength: most, format: 'password', ...examplesOf(example) });
}

function examplesOf(example: string | undefined) {
  return example === undefined ? {} : { examples: [example] };
}

function characterPattern(bad: string, required: boolean): string {
  return required ? `^[^${bad}]*[^\\s${bad}][^${bad}]*$` : `^[^${bad}]*$`;
}

/** Code points. */
function countCharacters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
