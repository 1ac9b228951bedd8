import { fileURLToPath } from 'node:url';
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { stringify } from 'yaml';
import { type CatalogEntry, type Comments, readEventCatalog } from './event-catalog.ts';
import { writeGeneratedPages } from './generated-pages.ts';

type Schema = Record<string, unknown>;

const PAGE = 'docs/asyncapi.yaml';
const LINE_WIDTH = 120;
/** CloudEvents 1.0 in binary mode. */
const HEADERS: Schema = {
  type: 'object',
  required: ['ce_id', 'ce_type', 'ce_source', 'ce_time', 'ce_specversion', 'content-type'],
  properties: {
    ce_id: { type: 'string', format: 'uuid', description: 'UUIDv7; consumers handle each once.' },
    ce_type: { type: 'string', description: 'Full name of the message in `proto/`.' },
    ce_source: { type: 'string', pattern: '^/casewatch/[a-z-]+$', description: 'The producing service.' },
    ce_time: { type: 'string', format: 'date-time' },
    ce_specversion: { const: '1.0' },
    'content-type': { const: 'application/json' },
    traceparent: { type: 'string', description: 'W3C trace context, where there is a trace.' },
  },
};

/** Returns `docs/asyncapi.yaml`: channels, operations and messages of all events, as an AsyncAPI 3 document. */
export function asyncApiPage(): string {
  const { entries, comments } = readEventCatalog();
  const document = {
    asyncapi: '3.1.0',
    info: {
      title: 'Casewatch events',
      // Of the messages' package, casewatch.events.v1.
      version: '1',
      description:
        'Made from `proto/` and the services (`npm run docs`). Delivery is at least once, in order per key. Fields are only ever added.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: '{broker}',
        protocol: 'kafka',
        description: 'The brokers in `KAFKA_BROKERS`.',
        variables: { broker: { default: 'localhost:9092' } },
      },
    },
    channels: Object.fromEntries(entries.map((entry) => [entry.event.name, channelOf(entry, comments)])),
    operations: Object.fromEntries(entries.flatMap(operationsOf)),
    components: {
      messages: Object.fromEntries(entries.map((entry) => [nameOf(entry), messageOf(entry, comments)])),
      schemas: { headers: HEADERS },
      parameters: {
        prefix: { description: 'The value of `KAFKA_TOPIC_PREFIX`, which may be empty.' },
      },
    },
  };
  return stringify(document, { lineWidth: LINE_WIDTH, aliasDuplicateObjects: false });
}

/** Returns the message's name without its package: `UserDeleted`. */
const nameOf = ({ event }: CatalogEntry): string => event.message.name;

function channelOf(entry: CatalogEntry, comments: Comments) {
  return {
    address: `{prefix}${entry.event.name}`,
    description: comments.get(entry.event.message.typeName) ?? '',
    messages: { [nameOf(entry)]: { $ref: `#/components/messages/${nameOf(entry)}` } },
    parameters: { prefix: { $ref: '#/components/parameters/prefix' } },
  };
}

function operationsOf({ event, producers, consumers }: CatalogEntry) {
  const channel = { $ref: `#/channels/${event.name}` };
  return [
    ...producers.map((service) => [
      `${service}.send.${event.name}`,
      { action: 'send', channel, tags: [{ name: service }] },
    ]),
    ...consumers.map((service) => [
      `${service}.receive.${event.name}`,
      { action: 'receive', channel, tags: [{ name: service }] },
    ]),
  ] as const;
}

function messageOf({ event, key }: CatalogEntry, comments: Comments) {
  return {
    name: event.type,
    summary: comments.get(event.message.typeName) ?? '',
    headers: { $ref: '#/components/schemas/headers' },
    payload: objectOf(event.message, comments, event.vocabulary),
    bindings: { kafka: { key: { type: 'string', description: `The value of \`${key}\`.` } } },
  };
}

/** Returns the schema of a message as ProtoJSON has it: what is not `optional` is always there. */
function objectOf(
  message: DescMessage,
  comments: Comments,
  vocabulary: Readonly<Record<string, readonly string[]>> = {},
): Schema {
  const properties = message.fields.map((field) => {
    const description = comments.get(`${message.typeName}.${field.name}`);
    const words = vocabulary[field.jsonName];
    return [
      field.jsonName,
      { ...schemaOf(field, comments), ...(words && { enum: words }), ...(description && { description }) },
    ] as const;
  });
  const required = message.fields
    .filter(({ proto }) => !proto.proto3Optional)
    .map(({ jsonName }) => jsonName);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

function schemaOf(field: DescField, comments: Comments): Schema {
  switch (field.fieldKind) {
    case 'list':
      return { type: 'array', items: itemOf(field, comments) };
    case 'map':
      return { type: 'object', additionalProperties: { type: 'string' } };
    case 'message':
      return messageSchema(field.message, comments);
    case 'scalar':
      return scalarSchema(field.scalar);
    case 'enum':
      return { type: 'string' };
  }
}

function itemOf(field: DescField & { fieldKind: 'list' }, comments: Comments): Schema {
  if (field.listKind === 'message') return messageSchema(field.message, comments);
  return field.listKind === 'scalar' ? scalarSchema(field.scalar) : { type: 'string' };
}

function messageSchema(message: DescMessage, comments: Comments): Schema {
  if (message.typeName === 'google.protobuf.Timestamp') return { type: 'string', format: 'date-time' };
  return objectOf(message, comments);
}

/** ProtoJSON writes 64-bit integers as text. */
function scalarSchema(scalar: ScalarType): Schema {
  switch (scalar) {
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.INT64:
      return { type: 'string', pattern: '^-?\\d+$' };
    case ScalarType.INT32:
      return { type: 'integer' };
    case ScalarType.UINT32:
      return { type: 'integer', minimum: 0 };
    default:
      throw new Error(`no schema for the scalar ${ScalarType[scalar]}: add it here`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeGeneratedPages({ [PAGE]: asyncApiPage() });
