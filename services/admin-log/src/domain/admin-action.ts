import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { adminActed } from '@casewatch/contracts/events';
import { storableText } from '@casewatch/service-kit/database/storable-json';
import { addressPrefix } from '@casewatch/service-kit/http/limit-key';

/** One entry of the audit trail: what an administrator did, or tried. */
export interface AdminAction {
  /** Of the event. */
  readonly id: string;
  readonly atMs: number;
  readonly actor: string | null;
  readonly actorId: string | null;
  readonly role: string | null;
  readonly action: string;
  readonly subject: string;
  readonly success: boolean;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly details: Readonly<Record<string, string>>;
}

const MAX_TEXT = 2_000;
const MAX_DETAILS = 50;

export function toAdminAction(
  event: PayloadOf<typeof adminActed>,
  { id, timeMs }: { id: string; timeMs: number },
): AdminAction {
  const details = Object.entries(event.details).slice(0, MAX_DETAILS);
  return {
    id,
    atMs: timeMs,
    actor: event.actor?.slice(0, MAX_TEXT) ?? null,
    actorId: event.actorId ?? null,
    role: event.role ?? null,
    action: event.action.slice(0, MAX_TEXT),
    subject: event.subject.slice(0, MAX_TEXT),
    success: event.success,
    sessionId: event.sessionId ?? null,
    // Whatever the publisher says, no whole address is stored.
    address: event.address === undefined ? null : addressPrefix(event.address),
    details: Object.fromEntries(details.map(([name, text]) => [storableText(name), text.slice(0, MAX_TEXT)])),
  };
}
