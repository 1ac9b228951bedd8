import { randomUUID } from 'node:crypto';
import {
  type AgencyDemonstration,
  DEMONSTRATED_NUMBERS,
  DEMONSTRATED_STATUS,
  type DemonstratedCase,
} from '@casewatch/contracts/agency-demonstration';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AdminCaller, AuditActor } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { notRecognized, toAppError } from './agency-failure.ts';
import { type Outcome, toError } from './agency-queue.ts';
import type { AskAgency } from './ask-agency.ts';
import type { ReadKnown } from './known-cases.ts';
import { askedEnding, endLookup, failedEnding, type UserRequester } from './lookup.ts';
import type { LookupLog } from './lookup-log.ts';

/**
 * Makes one call that shows a case of the agency's checklist, in the queue of all lookups, with a row in their log and one in the
 * audit trail. A throttled call is only made to a simulator.
 * @throws AppError RATE_LIMITED for an administrator's 13th within a minute
 */
export type Demonstrate = (
  wanted: { case: DemonstratedCase; receiptNumber: string },
  by: Pick<AdminCaller, 'sessionId' | 'administratorId' | 'name'>,
  lookup: Pick<UserRequester['lookup'], 'requestId' | 'traceId' | 'traceparent'>,
  actor: AuditActor,
) => Promise<AgencyDemonstration>;

interface DemonstrateDeps {
  askAgency: AskAgency;
  readKnown: ReadKnown;
  log: LookupLog;
  clock: Clock;
  /** How long it waits for a turn. */
  waitMs: number;
  baseUrl: string;
  /** Resolves to the seconds to wait where the administrator has made too many. */
  limit(administrator: string): Promise<number | undefined>;
  /** Writes to the audit trail. */
  audit(wanted: { case: DemonstratedCase; receiptNumber: string }, actor: AuditActor): Promise<void>;
}

export function createDemonstrate(deps: DemonstrateDeps): Demonstrate {
  const { clock, limit, audit } = deps;
  const agency = agencyOf(deps.baseUrl);

  return async (asked, by, lookup, actor) => {
    // With the passcode, anyone could open one session after another.
    const retryAfterSeconds = await limit(by.administratorId ?? by.name);
    if (retryAfterSeconds !== undefined)
      throw new AppError('RATE_LIMITED', 'RATE_LIMITED', { retryAfterSeconds });
    const wanted = { ...asked, receiptNumber: DEMONSTRATED_NUMBERS[asked.case] ?? asked.receiptNumber };
    const startedAtMs = clock.nowMs();
    await audit(wanted, actor);
    const about = { ...wanted, startedAt: iso(startedAtMs), agency };
    if (wanted.case === 'throttled' && agency.kind !== 'simulator') {
      return { ...about, endedAt: about.startedAt, outcome: 'not-provoked', isStored: false };
    }
    const requester: UserRequester = {
      source: 'user',
      userId: by.administratorId ?? by.sessionId,
      name: by.name,
      tier: 'free',
      lookup: { id: randomUUID(), origin: 'demonstration', startedAtMs, ...lookup },
      demonstration: wanted,
    };
    const outcome = await ask(deps, wanted.receiptNumber, requester);
    const { token, status, fields } = outcome.demonstrated ?? {};
    // An agency that is closed gives no token either.
    const answer = status?.answer ?? (wanted.case === 'unavailable' ? token?.answer : undefined);
    const isAnswered = answer?.status === DEMONSTRATED_STATUS[wanted.case];
    const isShown = isAnswered && (wanted.case !== 'valid' || outcome.kind === 'case');
    return {
      ...about,
      endedAt: iso(clock.nowMs()),
      outcome: isShown ? 'shown' : 'not-shown',
      ...(token ? { token } : {}),
      ...(status ? { status } : {}),
      read: fields ? { fields } : readOf(outcome),
      isStored: outcome.kind === 'case',
      shown: await shownOf(deps, wanted.receiptNumber, outcome),
    };
  };
}

/** The row in the queue has a name of its own: no other lookup shares the call, nor waits for its outcome. */
async function ask(
  { askAgency, log, clock, waitMs }: DemonstrateDeps,
  receiptNumber: string,
  requester: UserRequester,
): Promise<Outcome> {
  let outcome: Outcome | undefined;
  const note = (ending: ReturnType<typeof failedEnding>) =>
    log.add(endLookup(receiptNumber, requester, ending, clock.nowMs(), outcome?.spent));
  try {
    outcome = await askAgency.ask(`demonstration ${requester.lookup.id}`, requester, waitMs);
    if (outcome.kind === 'broken') throw toError(outcome);
    if (outcome.kind === 'stored') throw new Error('a demonstration was answered from the store');
    if (!outcome.isLogged) note(askedEnding(outcome, false));
    return outcome;
  } catch (error) {
    note(failedEnding(error));
    throw error;
  }
}

function agencyOf(baseUrl: string): AgencyDemonstration['agency'] {
  const { hostname, origin, pathname } = new URL(baseUrl);
  const kind =
    hostname === 'api-int.uscis.gov'
      ? 'sandbox'
      : hostname.endsWith('.uscis.gov')
        ? 'production'
        : 'simulator';
  return { baseUrl: origin + pathname.replace(/\/+$/, ''), kind };
}

function readOf(outcome: Outcome): { code: string; agencyMessage?: string } {
  const { code, agencyMessage } =
    outcome.kind === 'failure'
      ? { code: outcome.failure.kind, agencyMessage: outcome.failure.agencyMessage }
      : {
          code: 'not-recognized',
          agencyMessage: 'agencyMessage' in outcome ? outcome.agencyMessage : undefined,
        };
  return { code, ...(agencyMessage === undefined ? {} : { agencyMessage }) };
}

async function shownOf(
  { readKnown }: Pick<DemonstrateDeps, 'readKnown'>,
  receiptNumber: string,
  outcome: Outcome,
): Promise<NonNullable<AgencyDemonstration['shown']>> {
  if (outcome.kind === 'failure') return { refusal: toAppError(outcome.failure).body };
  if (outcome.kind === 'not-recognized') return { refusal: notRecognized(outcome.agencyMessage).body };
  const result = (await readKnown(receiptNumber))?.result;
  if (!result) throw new Error('stored case not found');
  return { result };
}

const iso = (ms: number) => new Date(ms).toISOString();
