import type { LookupCode } from '@casewatch/contracts/lookup-outcomes';
import type { AgencyFailure } from './agency-failure.ts';

/** What a call is made for: a person at the screen, or a scheduled check. */
export type CallSource = 'user' | 'monitor';

/** What a lookup at the agency ended in. Only `case` says anything about the case's status. */
export type AgencyResult =
  | { kind: 'case'; case: AgencyCase }
  | { kind: 'not-recognized'; agencyMessage?: string | undefined }
  | { kind: 'failure'; failure: AgencyFailure };

/** What the agency says about a case in its newest answer: plain text, one way of writing forms. */
export interface CaseFacts {
  status: string;
  description: string;
  links: { text: string; href: string }[];
  /** What the agency says in Spanish, as far as it does; null and no links otherwise. */
  statusEs: string | null;
  descriptionEs: string | null;
  linksEs: { text: string; href: string }[];
  /** `N-400`; empty when the agency does not say. */
  formType: string;
  /** These three only when the agency sends them. */
  petitionType: string | null;
  substatus: string | null;
  channelType: string | null;
  /** As the agency writes them; receipts that start with IOE have neither. */
  submittedDate: string | null;
  modifiedDate: string | null;
}

export interface AgencyCase extends CaseFacts {
  receiptNumber: string;
  /** What could be read of it. False: the agency may list entries that are not in `history`. */
  isWholeHistory: boolean;
  /** Newest first, as the agency lists it. */
  history: { status: string; statusEs: string | null; date: string | null }[];
}

/** One call of the agency's status endpoint as the log shows it; holds no secret. */
export interface AgencyCallRecord {
  /** Absent when no answer came. */
  readonly statusCode: number | undefined;
  /** Why it gave no status; undefined when it did. */
  readonly code: LookupCode | undefined;
  /** The answer as text, cut, after the reason where it could not be used; or why there is none. */
  readonly response: string;
  readonly durationMs: number;
}

/** A call that the agency has answered. */
export interface AnsweredCall {
  readonly receiptNumber: string;
  /** Later calls have higher ones, in any process. An int64 as text. */
  readonly callNumber: string;
  /** When it was sent, by the clock of the process that sent it, and how long ago that is. */
  readonly sentMs: number;
  readonly agoMs: number;
}

const MONTH_FIRST = /^(\d{2})-(\d{2})-(\d{4}) /;
const YEAR_FIRST = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;
/** No case is older. */
const FIRST_YEAR = '1900';

/**
 * Returns a date as the agency writes it (`MM-dd-yyyy HH:mm:ss`, `yyyy-MM-dd` or `yyyy-MM-dd HH:mm:ss`, no time zone) as
 * milliseconds since the epoch, read as GMT: good for putting dates in order, not for showing them. Undefined for
 * anything else, impossible dates included.
 */
export function parseAgencyDate(text: string): number | undefined {
  const date = text.trim().replace(MONTH_FIRST, '$3-$1-$2 ');
  if (!YEAR_FIRST.test(date) || date < FIRST_YEAR) return undefined;
  const [day, time = '00:00:00'] = date.split(' ');
  const iso = `${day}T${time}.000Z`;
  const ms = Date.parse(iso);
  // The 30th of February becomes a day in March.
  return Number.isNaN(ms) || new Date(ms).toISOString() !== iso ? undefined : ms;
}
