import { createHash } from 'node:crypto';
import { uuidV7Floor } from '@casewatch/service-kit/database/uuid-v7';
import type { KafkaMessage, Message } from 'kafkajs';
import type { EventRecord } from '../event-record.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A UUIDv7 has 48 bits for it. */
const LATEST_MS = 2 ** 48 - 1;

/** Returns CloudEvents in binary mode: attributes and trace context as headers, ProtoJSON as value. */
export function messageOf({ key, payload, headers }: EventRecord): Message {
  return { key, value: JSON.stringify(payload), headers: { ...headers } };
}

/** Position of a message in its broker. */
export interface MessagePlace {
  /** Name of the event: the topic without its prefix. */
  readonly event: string;
  readonly partition: number;
}

/**
 * Converts a message; never throws. A value that is not JSON stays text, which its handler refuses; a message without
 * an event id gets one derived from its position, the same whenever it is read again. Header names are lowercase here:
 * CloudEvents names are, but some producers and bridges capitalize them.
 */
export function eventOf(message: KafkaMessage, { event, partition }: MessagePlace): EventRecord {
  const headers = textsOf(message.headers ?? {});
  const given = headers.ce_id;
  return {
    id: given && UUID.test(given) ? given : idOfPlace(message, event, partition),
    topic: event,
    key: message.key?.toString('utf8') ?? '',
    payload: parsed(message.value?.toString('utf8') ?? ''),
    headers,
  };
}

function textsOf(headers: NonNullable<KafkaMessage['headers']>): Record<string, string> {
  const texts = Object.entries(headers).flatMap(([name, value]) => {
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? [] : [[name.toLowerCase(), first.toString('utf8')] as const];
  });
  return Object.fromEntries(texts);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A UUIDv7 (RFC 9562) of the message's time, so that it expires in the inbox like any other. */
function idOfPlace({ timestamp, offset }: KafkaMessage, event: string, partition: number): string {
  const digest = createHash('sha256').update(`${event} ${partition} ${offset}`).digest('hex');
  const time = uuidV7Floor(Math.min(Math.max(0, Number(timestamp) || 0), LATEST_MS)).slice(0, 13);
  return `${time}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
