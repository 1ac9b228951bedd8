import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { EventType } from '@casewatch/contracts/event-type';
import * as exported from '@casewatch/contracts/events';

/** An event as a topic or an outbox has it. */
export interface SampleEvent {
  readonly topic: string;
  readonly payload: unknown;
}

const UUID = '0199d0c4-0000-7000-8000-000000000001';
const TIME = '2026-01-05T12:00:00.123Z';
const RECEIPT_NUMBER = 'EAC9999103403';
const INT64 = [ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64];

/** Every type of event that services may import. */
export const eventTypes: readonly EventType<never>[] = Object.values(exported).filter(isEvent);

/** Returns two events of every type: one with all of its fields, and one without those that may be absent. */
export function sampleEvents(): SampleEvent[] {
  return eventTypes.flatMap((event) =>
    [true, false].map((whole) => ({
      topic: event.name,
      payload: event.encode(sample(event.message, event.vocabulary, whole) as never),
    })),
  );
}

function sample(message: DescMessage, vocabulary: EventType<never>['vocabulary'], whole: boolean): unknown {
  const fields = message.fields.filter((field) => whole || !mayBeAbsent(field));
  return Object.fromEntries(
    fields.map((field) => [field.jsonName, vocabulary[field.jsonName]?.[0] ?? fieldValue(field, whole)]),
  );
}

/** A message without `optional`, such as a time, always is there. */
const mayBeAbsent = (field: DescField) => field.proto.proto3Optional;

function fieldValue(field: DescField, whole: boolean): unknown {
  if (field.fieldKind === 'map') return whole ? { name: 'text' } : {};
  if (field.fieldKind === 'list' && !whole) return [];
  const one =
    field.message === undefined
      ? scalar(field)
      : field.message.typeName === TimestampSchema.typeName
        ? TIME
        : sample(field.message, {}, whole);
  return field.fieldKind === 'list' ? [one] : one;
}

function scalar({ name, scalar }: DescField): unknown {
  if (scalar === ScalarType.BOOL) return true;
  if (scalar !== ScalarType.STRING) return scalar !== undefined && INT64.includes(scalar) ? '1' : 1;
  if (name.startsWith('receipt_number')) return RECEIPT_NUMBER;
  return /(^|_)ids?$/.test(name) ? UUID : 'text';
}

function isEvent(value: unknown): value is EventType<never> {
  return typeof value === 'object' && value !== null && 'decode' in value && 'message' in value;
}
