import { CASE_NICKNAMES_MAX, type CaseDetails, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { type CaseOverview, listCaseOverviews } from '@casewatch/contracts/case-overviews';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';

/** What cases knows of a user's saved cases. */
export interface DigestCases {
  /** Those that are checked automatically, as many as one overview has. */
  readonly checked: readonly CaseOverview[];
  /** Of those that changed, the other ones: beyond an overview, or not checked any more. */
  readonly others: readonly CaseDetails[];
}

type SavedCase = Pick<CaseDetails, 'userId' | 'receiptNumber'>;

/**
 * Asks cases for the overviews of these users, and for what is saved of changed cases that are in none. Undefined while cases is
 * unavailable: a digest that leaves cases out would be wrong.
 */
export async function casesOfDigests(
  { services, logger }: { services: ServiceClient; logger: Logger },
  userIds: readonly string[],
  changed: readonly SavedCase[],
): Promise<((userId: string) => DigestCases) | undefined> {
  try {
    return await askCases(services, userIds, changed);
  } catch (error) {
    logger.warn({ err: error, users: userIds.length }, 'send digests: case lookup failed, will retry');
    return undefined;
  }
}

async function askCases(
  services: ServiceClient,
  userIds: readonly string[],
  changed: readonly SavedCase[],
): Promise<(userId: string) => DigestCases> {
  const { cases } = await services.call(listCaseOverviews, { body: { userIds: [...new Set(userIds)] } });
  const missing = new Map(
    changed.map(({ userId, receiptNumber }) => [keyOf({ userId, receiptNumber }), { userId, receiptNumber }]),
  );
  for (const one of cases) missing.delete(keyOf(one));
  const found = await detailsOf(services, [...missing.values()]);
  const checked = Map.groupBy(cases, ({ userId }) => userId);
  const others = Map.groupBy(found, ({ userId }) => userId);
  return (userId) => ({ checked: checked.get(userId) ?? [], others: others.get(userId) ?? [] });
}

/** Of cases that the user has removed there are none. */
async function detailsOf(services: ServiceClient, cases: readonly SavedCase[]): Promise<CaseDetails[]> {
  const found: CaseDetails[] = [];
  for (let start = 0; start < cases.length; start += CASE_NICKNAMES_MAX) {
    const body = { cases: cases.slice(start, start + CASE_NICKNAMES_MAX) };
    const { details } = await services.call(listCaseNicknames, { body });
    found.push(...details);
  }
  return found;
}

const keyOf = ({ userId, receiptNumber }: SavedCase) => `${userId} ${receiptNumber}`;
