import { TIERS } from './limits.ts';
import { LOOKUP_CAUSES, LOOKUP_ORIGINS, LOOKUP_OUTCOMES, LOOKUP_REASONS } from './lookup-outcomes.ts';

/** A part of a search; a lookup that is found fits all of them. */
export type SearchTerm =
  /** Texts that are compared from their beginning on. */
  | { readonly key: TextKey; readonly text: string }
  /** One of these words, or none of them. */
  | { readonly key: WordKey; readonly words: readonly string[]; readonly isNot: boolean }
  /** Both ends included; `created` in milliseconds since 1970. */
  | { readonly key: RangeKey; readonly from: number; readonly to: number; readonly isNot: boolean };

export type TextKey = 'receipt' | 'user' | 'request' | 'trace';
export type WordKey = keyof typeof WORDS;
export type RangeKey = 'status' | 'ms' | 'created';

/** The search can't be read; the message says what is wrong and what is possible. */
export class LogSearchError extends Error {
  override readonly name = 'LogSearchError';
}

export const LOG_SEARCH_MAX = 500;

const WORDS = {
  outcome: LOOKUP_OUTCOMES,
  code: Object.keys(LOOKUP_REASONS),
  cause: LOOKUP_CAUSES,
  via: LOOKUP_ORIGINS,
  tier: TIERS,
  source: ['user', 'monitor'],
  success: ['true', 'false'],
} as const;

/** What can be searched by, each with an example: the help of the field, and of its error messages. */
export const LOG_SEARCH_HELP: Readonly<
  Record<TextKey | WordKey | RangeKey, { example: string; meaning: string }>
> = {
  receipt: { example: 'receipt:WAC24*', meaning: 'Receipt number, or how it begins' },
  user: {
    example: 'user:maria',
    meaning: 'How the first name, last name or email address begins, or the user ID',
  },
  outcome: { example: 'outcome:fault,circuit-open', meaning: LOOKUP_OUTCOMES.join(', ') },
  cause: { example: 'cause:agency', meaning: 'Where it went wrong: user, agency, or us (Casewatch)' },
  code: { example: 'code:timeout', meaning: 'The reason in one word, as the details show it' },
  request: {
    example: 'request:7b0f1a52',
    meaning: 'The reference that the user sees with an error, or how it begins',
  },
  trace: { example: 'trace:4bf92f3577b34da6a3ce929d0e0e4736', meaning: 'Trace ID' },
  created: {
    example: 'created:>=2026-11-01',
    meaning: 'Day, or time such as 2026-11-01T10:03 (UTC); also 2026-11-01..2026-11-05',
  },
  ms: { example: 'ms:>2000', meaning: 'Total time in milliseconds' },
  status: { example: '-status:404', meaning: 'HTTP status of the agency; also 5xx' },
  via: { example: 'via:bulk', meaning: LOOKUP_ORIGINS.join(', ') },
  tier: { example: 'tier:pro', meaning: 'free or pro' },
  source: { example: 'source:monitor', meaning: 'user (Website) or monitor (Backend Service)' },
  success: { example: 'success:false', meaning: 'true or false' },
};

const TERM =
  /(-?)([A-Za-z]+):((?:>=|<=|>|<)?)("(?:[^"\\]|\\.)*"|[^\s"]*)(?=\s|$)|("(?:[^"\\]|\\.)*"|[^\s"]+)(?=\s|$)/y;

/**
 * Reads `receipt:WAC24* user:"maria jo" -status:404 created:>=2026-11-01`. Words without a key are a receipt number, a
 * request ID or a user, by their form. Linear in the length of the text.
 * @throws LogSearchError
 */
export function parseLogSearch(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) return terms;
    TERM.lastIndex = at;
    const match = TERM.exec(text);
    if (!match) throw new LogSearchError(`A quotation mark is missing near "${text.slice(at, at + 20)}".`);
    at = TERM.lastIndex;
    const [, minus, key, operator = '', value = '', bare] = match;
    const term =
      key === undefined
        ? bareTerm(unquoted(bare ?? ''))
        : keyTerm(key.toLowerCase(), operator, unquoted(value), minus === '-');
    if ('text' in term && terms.some((other) => other.key === term.key)) {
      throw new LogSearchError(`Use ${term.key} only once.`);
    }
    terms.push(term);
  }
}

function keyTerm(key: string, operator: string, value: string, isNot: boolean): SearchTerm {
  if (value === '') throw new LogSearchError(`${key}: is missing its value, as in ${exampleOf(key)}.`);
  if (isRangeKey(key)) return rangeTerm(key, operator, value, isNot);
  if (operator !== '')
    throw new LogSearchError(`${operator} works with ms, status and created, not with ${key}.`);
  if (isWordKey(key)) return wordTerm(key, value, isNot);
  if (!isTextKey(key)) {
    throw new LogSearchError(`Unknown key "${key}". You can use ${Object.keys(LOG_SEARCH_HELP).join(', ')}.`);
  }
  if (isNot) throw new LogSearchError(`- works with words, ms, status and created, not with ${key}.`);
  return textTerm(key, value);
}

function textTerm(key: TextKey, value: string): SearchTerm {
  const text = value.endsWith('*') ? value.slice(0, -1) : value;
  if (text === '' || text.includes('*')) {
    throw new LogSearchError(`Use * only at the end, as in ${exampleOf(key)}.`);
  }
  if (key === 'request' && !/^[0-9a-f-]{4,36}$/i.test(text)) {
    throw new LogSearchError('A request ID has the digits 0-9 and a-f. Enter at least its first four.');
  }
  if (key === 'trace' && !/^[0-9a-f]{32}$/i.test(text))
    throw new LogSearchError('A trace ID has 32 digits, 0-9 and a-f.');
  return { key, text };
}

function wordTerm(key: WordKey, value: string, isNot: boolean): SearchTerm {
  const words = value
    .toLowerCase()
    .split(',')
    .filter((word) => word !== '');
  const allowed: readonly string[] = WORDS[key];
  const unknown = words.find((word) => !allowed.includes(word));
  if (unknown !== undefined || words.length === 0) {
    throw new LogSearchError(
      `"${unknown ?? value}" is not valid for ${key}. You can use ${allowed.join(', ')}.`,
    );
  }
  return { key, words, isNot };
}

function rangeTerm(key: RangeKey, operator: string, value: string, isNot: boolean): SearchTerm {
  const [first = '', last] = value.split('..', 2);
  if (last !== undefined && operator !== '')
    throw new LogSearchError(`Use either ${operator} or .. for ${key}.`);
  const start = boundsOf(key, first);
  const end = last === undefined ? start : boundsOf(key, last);
  if (end.to < start.from) throw new LogSearchError(`${key}:${value} ends before it begins.`);
  const ranges: Record<string, [number, number]> = {
    '': [start.from, end.to],
    '>': [start.to + 1, Number.MAX_SAFE_INTEGER],
    '>=': [start.from, Number.MAX_SAFE_INTEGER],
    '<': [Number.MIN_SAFE_INTEGER, start.from - 1],
    '<=': [Number.MIN_SAFE_INTEGER, start.to],
  };
  const [from, to] = ranges[operator] ?? [start.from, end.to];
  return { key, from, to, isNot };
}

/** The first and the last moment, or number, that a value stands for. */
function boundsOf(key: RangeKey, value: string): { from: number; to: number } {
  if (key === 'created') return momentsOf(value);
  const hundreds = key === 'status' ? /^([1-5])xx$/i.exec(value)?.[1] : undefined;
  if (hundreds) return { from: Number(hundreds) * 100, to: Number(hundreds) * 100 + 99 };
  if (!/^\d{1,9}$/.test(value))
    throw new LogSearchError(`${key} takes a whole number, as in ${exampleOf(key)}.`);
  return { from: Number(value), to: Number(value) };
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/i;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A day is all of it, a minute likewise. */
function momentsOf(value: string): { from: number; to: number } {
  const [, day, minute = '00:00', seconds, zone = 'Z'] = MOMENT.exec(value) ?? [];
  const from = Date.parse(`${day}T${minute}${seconds ?? ':00'}${zone}`);
  if (Number.isNaN(from) || !exists(day))
    throw new LogSearchError(`created takes a day or a time (UTC), as in ${exampleOf('created')}.`);
  const lasts = /T/i.test(value)
    ? seconds === undefined
      ? MINUTE_MS
      : seconds.includes('.')
        ? 1
        : 1_000
    : DAY_MS;
  return { from, to: from + lasts - 1 };
}

/** `Date.parse` takes February 30 for a day in March. */
function exists(day: string | undefined): boolean {
  const atMs = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().slice(0, 10) === day;
}

function bareTerm(value: string): SearchTerm {
  if (/^[a-z]{3}-?\d[\d -]*\*?$/i.test(value)) return textTerm('receipt', value);
  if (/^[0-9a-f]{8}-[0-9a-f-]+\*?$/i.test(value)) return textTerm('request', value);
  return textTerm('user', value);
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}

function exampleOf(key: string): string {
  return key in LOG_SEARCH_HELP
    ? LOG_SEARCH_HELP[key as keyof typeof LOG_SEARCH_HELP].example
    : 'receipt:WAC24*';
}

const isWordKey = (key: string): key is WordKey => Object.keys(WORDS).includes(key);
const isRangeKey = (key: string): key is RangeKey => key === 'status' || key === 'ms' || key === 'created';
const isTextKey = (key: string): key is TextKey =>
  key === 'receipt' || key === 'user' || key === 'request' || key === 'trace';
