import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';

export interface MailLevels {
  /** E-mails that wait, counted to 10,000. */
  readonly queued: number;
  /** How long the oldest of them has waited; 0 when none does. */
  readonly oldestSeconds: number;
}

export const MAIL_LEVELS = `
  SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'queued' LIMIT 10000) AS waiting) AS queued,
         (SELECT min(queued_at) FROM deliveries WHERE state = 'queued') AS oldest`;

export async function readMailLevels(pool: Pool, clock: Clock): Promise<MailLevels> {
  const { rows } = await pool.query<{ queued: number; oldest: Date | null }>(MAIL_LEVELS);
  const [{ queued, oldest } = { queued: 0, oldest: null }] = rows;
  const waitedMs = oldest === null ? 0 : clock.nowMs() - oldest.getTime();
  return { queued, oldestSeconds: Math.max(0, waitedMs) / 1_000 };
}
