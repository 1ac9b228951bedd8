import type { Tier } from '@casewatch/contracts/limits';
import type { Entitlement } from './entitlement.ts';

/** What the other services are told of a subscription. */
export interface Announcement {
  tier: Tier;
  status: string;
}

/**
 * What is to be told, if it differs from what was told last (`announced`, the text that `announcementText` makes).
 * A subscription that was never paid entitles to nothing and changes nothing: it is only told when it follows one
 * that was.
 */
export function newsOf(
  announced: string | null,
  { tier, status, awaitsCard }: Entitlement,
): Announcement | undefined {
  const begun = status !== 'incomplete' && status !== 'incomplete_expired' && !awaitsCard;
  if (!begun && (announced === null || announced.startsWith('free '))) return undefined;
  const news = { tier, status };
  return announcementText(news) === announced ? undefined : news;
}

export function announcementText({ tier, status }: Announcement): string {
  return `${tier} ${status}`;
}
