import { publishAgain as publishOutboxAgain } from '@casewatch/messaging/outbox-rows';
import type { Schema } from './open-schemas.ts';

/** Puts what the outboxes hold back to be sent, and says how much that is. */
export async function publishAgain(schemas: readonly Schema[], say: (line: string) => void): Promise<void> {
  for (const { service, sql } of schemas) {
    const count = await publishOutboxAgain(sql);
    say(`${service}: ${count} event${count === 1 ? '' : 's'} will be sent again once the service runs.`);
  }
}
