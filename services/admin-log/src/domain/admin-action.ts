import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { adminActed } from '@casewatch/contracts/events';

/** One entry of the audit trail: what an administrator did, or tried. */
export interface AdminAction {
  /** Of the event. */
  readonly id: string;
  readonly atMs: number;
  readonly action: string;
  readonly subject: string;
  readonly success: boolean;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly details: Readonly<Record<string, string>>;
}

const LONGEST_TEXT = 2_000;
const MOST_DETAILS = 50;

export function toAdminAction(
  event: PayloadOf<typeof adminActed>,
  { id, timeMs }: { id: string; timeMs: number },
): AdminAction {
  const details = Object.entries(event.details).slice(0, MOST_DETAILS);
  return {
    id,
    atMs: timeMs,
    action: event.action.slice(0, LONGEST_TEXT),
    subject: event.subject.slice(0, LONGEST_TEXT),
    success: event.success,
    sessionId: event.sessionId ?? null,
    address: event.address ?? null,
    details: Object.fromEntries(details.map(([name, text]) => [name, text.slice(0, LONGEST_TEXT)])),
  };
}
