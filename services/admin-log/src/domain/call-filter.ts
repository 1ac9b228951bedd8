import type { LogFilters } from '@casewatch/contracts/admin-log';
import { normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { storableText } from '@casewatch/service-kit/database/storable-json';
import { parseTime } from './time.ts';

/** Which calls: every part that is given must fit. */
export interface CallFilter {
  readonly receiptNumber?: string;
  readonly userId?: string;
  /** The beginning of a first name, in lower case. */
  readonly nameStart?: string;
  readonly source?: 'user' | 'monitor';
  readonly success?: boolean;
  readonly statusCode?: number;
  /** Included. */
  readonly fromMs?: number;
  /** Not included. */
  readonly toMs?: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What was asked for, as the log is searched: a text that is empty says nothing. */
export function toCallFilter(asked: LogFilters): CallFilter {
  const { source, success, statusCode, from, to } = asked;
  const receiptNumber = normaliseReceiptNumber(storableText(asked.receiptNumber ?? ''));
  const user = storableText(asked.user ?? '').trim();
  return {
    ...(receiptNumber === '' ? {} : { receiptNumber }),
    ...(user === '' ? {} : UUID.test(user) ? { userId: user.toLowerCase() } : { nameStart: nameKeyOf(user) }),
    ...(source === undefined ? {} : { source }),
    ...(success === undefined ? {} : { success }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(from === undefined ? {} : { fromMs: parseTime(from) }),
    ...(to === undefined ? {} : { toMs: parseTime(to) }),
  };
}

/** The form in which first names are compared. */
export function nameKeyOf(firstName: string): string {
  return firstName.toLowerCase();
}
