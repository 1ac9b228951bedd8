import type { listAudit as contract } from '@casewatch/contracts/admin-log';
import type { AnswerOf, Parsed } from '@casewatch/contracts/route-contract';
import { storableText } from '@casewatch/service-kit/database/storable-json';
import type { AuditTrail } from './audit-trail.ts';
import { fromCursor, toCursor } from './position.ts';
import { parseTime } from './time.ts';

/** A page of the audit trail, newest first. @throws AppError VALIDATION for a cursor that was never given */
export async function listAudit(
  audit: AuditTrail,
  asked: Parsed<(typeof contract)['query']>,
): Promise<AnswerOf<typeof contract>> {
  const { action, subject, success, from, to, limit, older } = asked;
  const filter = {
    action: action ? storableText(action) : undefined,
    subject: subject ? storableText(subject) : undefined,
    success,
    fromMs: from === undefined ? undefined : parseTime(from),
    toMs: to === undefined ? undefined : parseTime(to),
  };
  const olderThan = older === undefined ? undefined : fromCursor('older', older);
  const found = await audit.list(filter, olderThan, limit + 1);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  const hasMore = last !== undefined && found.length > limit;
  return { entries, older: hasMore ? toCursor({ atMs: Date.parse(last.at), id: last.id }) : null };
}
