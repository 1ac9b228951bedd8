import type { EventHeaders, EventRecord } from '@casewatch/messaging/event-record';
import type { Schema } from './open-schemas.ts';

export interface TailOptions {
  topic: string | undefined;
  /** Ends after this number of events; undefined: never. */
  count: number | undefined;
  say(line: string): void;
  until: AbortSignal;
}

const POLL_MS = 250;
/** A transaction that commits late shows events that are older than those already seen. */
const LATE_MS = 60_000;
const NEWEST = `
  SELECT id, topic, key, payload, headers FROM outbox
  WHERE created_at > $1 AND ($2::text IS NULL OR topic = $2) ORDER BY seq`;

/** Prints what is published from now on, as the outboxes show it. */
export async function tailOutboxes({
  schemas,
  topic,
  count,
  say,
  until,
}: TailOptions & { schemas: readonly Schema[] }): Promise<void> {
  const seen = new Map<string, number>();
  const look = async (): Promise<EventRecord[]> => {
    const nowMs = Date.now();
    const found = await Promise.all(
      schemas.map(({ sql }) =>
        sql.query<EventRecord & { headers: EventHeaders }>(NEWEST, [
          new Date(nowMs - LATE_MS),
          topic ?? null,
        ]),
      ),
    );
    const fresh = found.flat().filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.set(id, nowMs);
    for (const [id, atMs] of seen) if (nowMs - atMs > 2 * LATE_MS) seen.delete(id);
    return fresh;
  };
  await look();
  say('Listening; Ctrl-C ends it.');
  let left = count ?? Number.POSITIVE_INFINITY;
  while (left > 0 && !until.aborted) {
    for (const event of await look()) if (left-- > 0) say(lineOfEvent(event));
    if (left > 0) await pause(until);
  }
}

/** Returns time, topic, key and id in columns, then the payload. */
export function lineOfEvent({ id, topic, key, payload, headers }: EventRecord): string {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return `${headers.ce_time ?? '-'}  ${topic}  ${key}  ${id}  ${text}`;
}

function pause(until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, POLL_MS);
    function done() {
      clearTimeout(timer);
      until.removeEventListener('abort', done);
      resolve();
    }
    until.addEventListener('abort', done);
  });
}
