import {
  type DescField,
  type DescMessage,
  fromJson,
  getOption,
  hasOption,
  type JsonValue,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { key_field, topic } from '@casewatch/proto/options';

/** An event type. `Payload` is the plain JSON shape of its message in `proto/casewatch/events/v1/`. */
export interface EventType<Payload> {
  /** Topic and event name in kebab-case: `user-deleted`. */
  readonly name: string;
  /** CloudEvents type: `casewatch.events.v1.UserDeleted`. */
  readonly type: string;
  readonly message: DescMessage;
  /** The texts that a field is limited to, by field name. */
  readonly vocabulary: Vocabulary;
  /** What order is kept for: a user id or a receipt number. */
  key(payload: Payload): string;
  /**
   * Parses what came over the wire; fields that this version does not know are ignored.
   * @throws EventFormatError when it does not fit: the event is then poison.
   */
  decode(json: unknown): Payload;
  /** Returns the payload itself, which is ProtoJSON. @throws EventFormatError when the payload does not fit. */
  encode(payload: Payload): unknown;
}

type PlainJson = Record<string, JsonValue>;
const EVERY_FIELD = { alwaysEmitImplicit: true };

/** The JSON does not fit the event's message. Trying again does not help. */
export class EventFormatError extends Error {
  override readonly name = 'EventFormatError';
}

export type Vocabulary = Readonly<Record<string, readonly string[]>>;

/**
 * The payload of an event as plain JSON: camelCase, timestamps as ISO 8601 texts, no wrapper. What the message
 * marks `optional` may be absent; everything else is there.
 */
export type Plain<M> = {
  [K in keyof M as K extends '$typeName' | '$unknown'
    ? never
    : IsOptional<M, K> extends true
      ? never
      : K]-?: PlainValue<NonNullable<M[K]>>;
} & {
  [K in keyof M as K extends '$typeName' | '$unknown' ? never : IsOptional<M, K> extends true ? K : never]?:
    | PlainValue<NonNullable<M[K]>>
    | undefined;
};
type IsOptional<M, K extends keyof M> = undefined extends M[K]
  ? NonNullable<M[K]> extends Timestamp
    ? false
    : true
  : false;
type PlainValue<V> = V extends Timestamp
  ? string
  : V extends readonly (infer Item)[]
    ? PlainValue<Item>[]
    : V extends { $typeName: string }
      ? Plain<V>
      : V extends Record<string, string>
        ? Record<string, string>
        : V;

/** A field with a vocabulary is typed by it. */
type Narrow<P, V> = {
  [K in keyof P]: K extends keyof V ? (V[K] extends readonly (infer Word)[] ? Word : P[K]) : P[K];
};

export type PayloadOf<E> = E extends EventType<infer Payload> ? Payload : never;

/**
 * Makes the event type of a message: name and key come from the message's options, `vocabulary` limits text
 * fields (enums of Protocol Buffers have no erasable TypeScript).
 */
export function defineEventType<
  Desc extends DescMessage,
  const V extends { readonly [K in keyof MessageShape<Desc>]?: readonly string[] } = Record<never, never>,
>(message: Desc, vocabulary?: V): EventType<Narrow<Plain<MessageShape<Desc>>, V>> {
  type Payload = Narrow<Plain<MessageShape<Desc>>, V>;
  const words = (vocabulary ?? {}) as Vocabulary;
  const keyField = keyFieldOf(message);
  const required = message.fields.filter((field) => field.message?.typeName === TimestampSchema.typeName);
  const checked = (plain: PlainJson): PlainJson => {
    for (const field of required) {
      if (plain[field.jsonName] === undefined) throw unfit(message, field.jsonName, 'is missing');
    }
    for (const [name, allowed] of Object.entries(words)) {
      if (plain[name] !== undefined && !allowed.includes(String(plain[name]))) {
        throw unfit(message, name, `is not one of ${allowed.join(', ')}`);
      }
    }
    if ((plain[keyField.jsonName] ?? '') === '') throw unfit(message, keyField.jsonName, 'is empty');
    return plain;
  };
  return {
    name: getOption(message, topic),
    type: message.typeName,
    message,
    vocabulary: words,
    key: (payload) => String((payload as Record<string, unknown>)[keyField.jsonName]),
    // ProtoJSON with every field written is the plain shape; the checker can't follow a descriptor.
    decode: (json) =>
      checked(toJson(message, parse(message, json, true), EVERY_FIELD) as PlainJson) as Payload,
    encode(payload) {
      parse(message, payload, false);
      return checked(payload as PlainJson);
    },
  };
}

function keyFieldOf(message: DescMessage): DescField {
  const field = message.fields.find((candidate) => candidate.name === getOption(message, key_field));
  if (!hasOption(message, topic) || field?.scalar === undefined) {
    throw new Error(`${message.typeName} needs the options topic and key_field`);
  }
  return field;
}

function parse<Desc extends DescMessage>(
  message: Desc,
  json: unknown,
  ignoreUnknownFields: boolean,
): MessageShape<Desc> {
  try {
    return fromJson(message, withoutUndefined(json), { ignoreUnknownFields });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EventFormatError(`${message.typeName}: ${reason}`, { cause });
  }
}

/** An absent optional field may be written `undefined` in code; JSON has no such thing. */
function withoutUndefined(json: unknown): JsonValue {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json as JsonValue;
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

function unfit(message: DescMessage, field: string, problem: string): EventFormatError {
  return new EventFormatError(`${message.typeName}.${field} ${problem}`);
}
