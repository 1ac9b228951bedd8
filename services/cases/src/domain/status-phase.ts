import { foldStatus } from '@casewatch/contracts/fold-status';

/** Where a case stands, roughly: what the product shows as its substatus. */
export type Phase =
  | 'received'
  | 'biometrics'
  | 'evidence'
  | 'interview'
  | 'decision'
  | 'card'
  | 'transferred'
  | 'closed'
  | 'other';

/** The first rule that fits a title decides; the agency publishes no list of its titles. */
const RULES: readonly [RegExp, Phase][] = [
  [/\b(rejected|withdraw\w*|terminat\w*|closed|abandon\w*)\b/, 'closed'],
  [/\binterview/, 'interview'],
  [/\b(biometrics?|fingerprints?)\b/, 'biometrics'],
  [/\b(evidence|intent to|response to)\b/, 'evidence'],
  [/\b(card|document|permit|parole|certificate)\b/, 'card'],
  [/\b(transferred|relocated|remanded|sent to|jurisdiction|another office)\b/, 'transferred'],
  [/\b(approv\w+|denied|denial|dismissed|revoked|revocation|decision|granted|oath)\b/, 'decision'],
  [/\b(received|accepted|receipt)\b/, 'received'],
];

/** Titles of which the rules say something else. */
const EXCEPTIONS: Readonly<Record<string, Phase>> = {
  'Fees Were Waived': 'received',
  'Filed Under Known Employer Pilot': 'received',
  'Case Was Updated To Show That No One Appeared for In-Person Processing': 'biometrics',
  'Request To Reschedule My Appointment Was Received': 'biometrics',
  'Correspondence Was Received And USCIS Is Reviewing It': 'evidence',
  'Request for Additional Information Received': 'evidence',
  'Continuation Notice Was Mailed': 'decision',
  'Eligibility Notice Was Mailed': 'decision',
  'Case Is Pending at a Local Office': 'transferred',
  'Case Was Received At Another USCIS Office': 'transferred',
  'Department of State Sent Case to USCIS For Review': 'transferred',
  'Resubmitted Fee Was Not Accepted': 'closed',
  'Expedite Request Approved': 'other',
  'Expedite Request Denied': 'other',
  'Expedite Request Received': 'other',
  'Form G-28 Was Rejected Because It Was Improperly Filed': 'other',
};
const EXCEPTION_OF = new Map(Object.entries(EXCEPTIONS).map(([title, phase]) => [foldStatus(title), phase]));

/** Returns the phase of a status title; every title has one. */
export function phaseOf(status: string): Phase {
  const title = foldStatus(status);
  return EXCEPTION_OF.get(title) ?? RULES.find(([pattern]) => pattern.test(title))?.[1] ?? 'other';
}
