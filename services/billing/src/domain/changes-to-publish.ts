import type { Tier } from '@casewatch/contracts/limits';
import type { Entitlement } from './entitlement.ts';

/** The payload of `subscription-changed`. */
export interface SubscriptionChange {
  tier: Tier;
  status: string;
}

/**
 * Returns the change to publish, if it differs from the last one (`published`, the text that `publishedText` makes). A
 * subscription that was never paid entitles to nothing and changes nothing: it is published only after a paid one.
 */
export function changesToPublish(
  published: string | null,
  { tier, status, awaitsCard }: Entitlement,
): SubscriptionChange | undefined {
  const begun = status !== 'incomplete' && status !== 'incomplete_expired' && !awaitsCard;
  if (!begun && (published === null || published.startsWith('free '))) return undefined;
  const change = { tier, status };
  return publishedText(change) === published ? undefined : change;
}

export function publishedText({ tier, status }: SubscriptionChange): string {
  return `${tier} ${status}`;
}
