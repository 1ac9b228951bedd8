import type { Tier } from '@casewatch/contracts/limits';
import type { LookupCode } from '@casewatch/contracts/lookup-outcomes';
import type { AgencyFailure } from './agency-failure.ts';

/** The port to the agency. */
export interface Agency {
  /**
   * Looks one case up. Never rejects for anything that the agency or the network does. `beforeCall` runs when its turn has
   * come; the call is not made, and not counted, when it throws.
   */
  lookUp(receiptNumber: string, caller: BudgetCaller, beforeCall?: () => Promise<void>): RunningLookUp;
}

export interface AgencyLookUp {
  result: AgencyResult;
  /** When the last call was sent, by this process's clock: a status is the answer to that one. 0 without a call. */
  sentMs: number;
  /** Every HTTP call that was made for it, for the log. */
  calls: readonly AgencyCallRecord[];
  /** How long it waited for its turns within the budget, and for the agency, its token endpoint included. */
  queueMs: number;
  agencyMs: number;
}

/** A look-up that waits for its turn or for the agency. */
export interface RunningLookUp {
  /** @throws only when the budget can't be read, or what `beforeCall` throws: then no call is made */
  readonly done: Promise<AgencyLookUp>;
  /** Has one more caller wait for this look-up, on a turn of its own. */
  join(caller: BudgetCaller): void;
}

/** What a call is made for: a person at the screen, or a scheduled check. */
export type CallSource = 'user' | 'monitor';

/** On whose behalf a call is made. */
export type BudgetCaller =
  | { readonly source: 'user'; readonly userId: string; readonly tier: Tier }
  /** `known` is an answer that is recognized when it comes again. */
  | { readonly source: 'monitor'; readonly known?: KnownAnswer | undefined };

/** What a look-up at the agency ended in. Only `case` says anything about the case's status. */
export type AgencyResult =
  | { kind: 'case'; case: CaseAnswer }
  | { kind: 'not-recognised' }
  | { kind: 'failure'; failure: AgencyFailure };

/** An answer about a case. */
export interface CaseAnswer {
  readonly status: string;
  /** Of everything that it says about the case: the same for answers that say the same. */
  readonly factsHash: string;
  /** Recognizes this very text. */
  readonly answerHash: string;
  /** The row of the request log that has the same text. */
  readonly sameAs?: LoggedAnswer | undefined;
  /** What it says; an answer that was recognized is read when this is called. */
  facts(): AgencyCase;
}

/** A stored answer, as a check recognizes it without reading it again. */
export interface KnownAnswer extends Pick<CaseAnswer, 'status' | 'factsHash' | 'answerHash'> {
  /** Undefined where no row is known, or only one that is too old. */
  readonly logged: LoggedAnswer | undefined;
}

/** A row of the request log. */
export interface LoggedAnswer {
  /** The id of its lookup. */
  readonly callId: string;
  /** When that ended. */
  readonly endedAtMs: number;
}

/** What the agency says in Spanish, as far as it does; null and no links otherwise. */
export interface SpanishTexts {
  statusEs: string | null;
  descriptionEs: string | null;
  linksEs: { text: string; href: string }[];
}

/** What the agency says about a case in its newest answer: plain text, one way of writing forms. */
export interface CaseFacts extends SpanishTexts {
  status: string;
  description: string;
  links: { text: string; href: string }[];
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
  /** Newest first, as the agency lists it. */
  history: { status: string; statusEs: string | null; date: string | null }[];
}

/** One call of the agency's status endpoint as the log shows it; holds no secret. */
export interface AgencyCallRecord {
  /** Absent when no answer came. */
  readonly statusCode: number | undefined;
  /** Why it gave no status; undefined when it did. */
  readonly code: LookupCode | undefined;
  /** The answer as text, cut, after the reason where it could not be used; or why there is none. Empty with `sameAs`. */
  readonly responsePayload: string;
  /** The row that has the answer's text. */
  readonly sameAs?: LoggedAnswer | undefined;
  readonly durationMs: number;
}
