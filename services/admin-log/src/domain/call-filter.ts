import type { LogFilters } from '@casewatch/contracts/admin-log';
import type { RangeKey, SearchTerm, WordKey } from '@casewatch/contracts/log-search';
import { isReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { storableText } from '@casewatch/service-kit/database/storable-json';
import { type AppError, invalidField } from '@casewatch/service-kit/errors/app-error';
import { parseTime, toUuid } from './position.ts';

/** Which lookups: every part that is given must fit. */
export interface CallFilter {
  readonly receiptNumber?: string;
  /** How a receipt number begins. */
  readonly receiptStart?: string;
  readonly userId?: string;
  /** The beginning of a first name, in lower case; a user in `alsoUserIds` fits, too. */
  readonly nameStart?: string;
  /** The users whose last name or e-mail address begins like `nameStart`. */
  readonly alsoUserIds?: readonly string[];
  readonly source?: 'user' | 'monitor';
  readonly success?: boolean;
  readonly statusCode?: number;
  /** Included. */
  readonly fromMs?: number;
  /** Not included. */
  readonly toMs?: number;
  /** A request id, or how one begins: the first and the last that do. */
  readonly request?: { readonly first: string; readonly last: string };
  readonly traceId?: string;
  /** What else must fit; no counts are kept for it. */
  readonly conditions?: readonly Condition[];
}

export type Condition =
  | {
      readonly field: Exclude<WordKey, 'success'>;
      readonly words: readonly string[];
      readonly isNot: boolean;
    }
  | {
      readonly field: Exclude<RangeKey, 'created'>;
      readonly from: number;
      readonly to: number;
      readonly isNot: boolean;
    };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Normalizes the requested filter: empty texts are ignored.
 * @throws AppError VALIDATION for a part that the search and the form both give
 */
export function toCallFilter(asked: LogFilters): CallFilter {
  const { q = [], source, success, statusCode, from, to } = asked;
  const form: CallFilter = {
    ...receiptFilter(asked.receiptNumber ?? ''),
    ...userFilter(asked.user ?? ''),
    ...(source === undefined ? {} : { source }),
    ...(success === undefined ? {} : { success }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(from === undefined ? {} : { fromMs: parseTime(from) }),
    ...(to === undefined ? {} : { toMs: parseTime(to) }),
  };
  return q.reduce(withTerm, form);
}

function withTerm(filter: CallFilter, term: SearchTerm): CallFilter {
  if ('text' in term) return added(filter, term.key, textFilter(term.key, term.text));
  if ('words' in term) {
    const [only] = term.words;
    const isKept = term.words.length === 1 && !term.isNot;
    if (term.key === 'success')
      return added(filter, 'success', { success: (only === 'true') !== term.isNot });
    if (term.key === 'source' && isKept && (only === 'user' || only === 'monitor'))
      return added(filter, 'source', { source: only });
    const { key: field, words, isNot } = term;
    return { ...filter, conditions: [...(filter.conditions ?? []), { field, words, isNot }] };
  }
  if (term.key === 'created') return withTime(filter, term);
  const { key: field, from, to, isNot } = term;
  if (field === 'status' && from === to && !isNot) return added(filter, 'status', { statusCode: from });
  return { ...filter, conditions: [...(filter.conditions ?? []), { field, from, to, isNot }] };
}

/** Several times narrow the time; what is not a range of time can't be left out of one. */
function withTime(
  filter: CallFilter,
  { from, to, isNot }: Extract<SearchTerm, { from: number }>,
): CallFilter {
  if (isNot) throw invalid('- does not work with created: use created:< or created:>.');
  const fromMs = Math.max(from, filter.fromMs ?? Number.MIN_SAFE_INTEGER);
  const toMs = Math.min(to + 1, filter.toMs ?? Number.MAX_SAFE_INTEGER);
  return {
    ...filter,
    ...(fromMs > Number.MIN_SAFE_INTEGER ? { fromMs } : {}),
    ...(toMs < Number.MAX_SAFE_INTEGER ? { toMs } : {}),
  };
}

function added(filter: CallFilter, name: string, part: CallFilter): CallFilter {
  const isTwice =
    Object.keys(part).some((key) => key in filter) || ('nameStart' in part && 'userId' in filter);
  if (isTwice) throw invalid(`Use ${name} either in the search or in the form, not both.`);
  return { ...filter, ...part };
}

function textFilter(key: 'receipt' | 'user' | 'request' | 'trace', text: string): CallFilter {
  if (key === 'receipt') return receiptFilter(text);
  if (key === 'user') return userFilter(text);
  if (key === 'trace') return { traceId: text.toLowerCase() };
  const digits = text.replaceAll('-', '').toLowerCase();
  return { request: { first: toUuid(digits.padEnd(32, '0')), last: toUuid(digits.padEnd(32, 'f')) } };
}

function receiptFilter(text: string): CallFilter {
  const receiptNumber = normaliseReceiptNumber(storableText(text));
  if (receiptNumber === '') return {};
  return isReceiptNumber(receiptNumber) ? { receiptNumber } : { receiptStart: receiptNumber };
}

function userFilter(text: string): CallFilter {
  const user = storableText(text).trim();
  if (user === '') return {};
  return UUID.test(user) ? { userId: user.toLowerCase() } : { nameStart: user };
}

function invalid(message: string): AppError {
  return invalidField('q', { en: message });
}
