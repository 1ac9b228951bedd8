import { STATUS_NAMES_ES } from '@casewatch/contracts/es/status-names';
import type { DescriptionKind } from './status-descriptions.ts';

/** The Spanish title of each English one. The agency publishes no list; these are seen in the wild. */
export const SPANISH_TITLES: ReadonlyMap<string, string> = new Map(Object.entries(STATUS_NAMES_ES));

/** Which description goes with a title: the first that fits. */
const KINDS: readonly (readonly [RegExp, DescriptionKind])[] = [
  [/Appeals? .*(Approved|Dismissed|Remanded|Terminated|Office)/, 'appeal'],
  [/Withdrawal|Case Closed/, 'closed'],
  [/Premium/, 'premium'],
  [/Expedite/, 'expedite'],
  [/Rejected/, 'rejected'],
  [/\bFees? /, 'fee'],
  [/Destroyed/, 'destroyed'],
  [/Returned|Undeliverable|Being Held|Along With My Letter/, 'card-back'],
  [/Produced/, 'card-made'],
  [/Delivered/, 'card-delivered'],
  [/(Card|Document) Was (Mailed|Picked Up)/, 'card-mailed'],
  [/On Hold|Of Litigation/, 'on-hold'],
  [/Not (Automatically )?Revoked/, 'approved'],
  [/Revo|Rescind|Terminat/, 'revocation'],
  [/Biometrics Appointment/, 'biometrics-set'],
  [/Fingerprints Were Taken/, 'biometrics-done'],
  [/No One Appeared/, 'missed-visit'],
  [/ Was Updated$/, 'details-changed'],
  [/Scheduled? (An|for An) Interview|Schedule An Interview/, 'interview-ready'],
  [/Interview Cancelled/, 'interview-off'],
  [/Interview Was Completed/, 'interview-done'],
  [/Interview Was/, 'interview-set'],
  [/Department Of State$/i, 'state-department'],
  [/Evidence Was (Sent|E?[Mm]ailed)/, 'evidence-asked'],
  [/Evidence Was Received|Information Received/, 'evidence-in'],
  [/Reopened/, 'reopened'],
  [/Denied|Denial|Not Granted/, 'denied'],
  [/Approv|Granted/, 'approved'],
  [/Transferred|Another USCIS Office|Executive Office/, 'transferred'],
  [/Pending|Review|Reschedule|Processed|CASE STATUS/, 'in-review'],
  [/Accepted|Case Was Received|Report Received|Filed/, 'received'],
  [/Notice|Oath/, 'notice'],
];

/** Returns `other` for a title that is not seen in the wild. */
export function descriptionKind(title: string): DescriptionKind {
  if (!SPANISH_TITLES.has(title)) return 'other';
  return KINDS.find(([pattern]) => pattern.test(title))?.[1] ?? 'other';
}
