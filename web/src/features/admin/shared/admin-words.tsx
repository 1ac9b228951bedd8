import type { AdminRole } from '@casewatch/contracts/admin-roles';

export const ROLE_WORDS: Readonly<Record<AdminRole, string>> = {
  owner: 'Owner',
  auditor: 'Auditor',
  'survey-editor': 'Survey editor',
};

export const ROLE_HINTS: Readonly<Record<AdminRole, string>> = {
  owner: 'Sees and changes everything, and invites administrators.',
  auditor: 'Reads the logs, the surveys and the audit trail. Personal data of users is masked.',
  'survey-editor': 'Creates surveys and sees their answers. Nothing else.',
};

/** Returns the reader's time zone: `America/New_York (GMT-5)`. */
export function timeZoneName(at = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(at);
  const short = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === short ? timeZone : `${timeZone} (${short})`;
}

const GROUPED = new Intl.NumberFormat('en-US');

/** Returns a number with its digits in groups: `12,345`. */
export function grouped(value: number): string {
  return GROUPED.format(value);
}

/** Says which time zone the times above are in. */
export function TimeZoneNote() {
  return <p className="admin-zone">Times are in {timeZoneName()}.</p>;
}
