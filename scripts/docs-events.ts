import { fileURLToPath } from 'node:url';
import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { type CatalogEntry, type Comments, readEventCatalog } from './event-catalog.ts';
import { writeGeneratedPages } from './generated-pages.ts';

/** Returns `docs/events.md`: topic, key, fields from proto/; producers and consumers from the services' code. */
export function eventsPage(): string {
  const { entries, comments } = readEventCatalog();
  const sections = entries.map((entry) => section(entry, comments));
  return [
    '# Events',
    '',
    'Made from `proto/` and the services (`npm run docs`). The topic is the name below, behind the configured',
    'prefix. The value is ProtoJSON; order is kept per key. Headers, as CloudEvents 1.0 in binary mode has them:',
    '`ce_id` (UUIDv7, what the inboxes remember), `ce_type`, `ce_source` (`/casewatch/<service>`), `ce_time`,',
    '`ce_specversion`, `content-type`, and `traceparent` where there is a trace. Fields are only ever added;',
    'readers ignore those that they do not know. The same as an AsyncAPI 3 document: [asyncapi.yaml](asyncapi.yaml).',
    '',
    PATH_OF_AN_EVENT,
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}

const PATH_OF_AN_EVENT = `## The path of an event

\`\`\`mermaid
sequenceDiagram
  participant UseCase as Use case
  participant Database as Producer's schema
  participant Relay as Outbox relay
  participant Topic as Kafka topic
  participant Group as Consumer group
  participant Effect as Consumer's schema
  UseCase->>Database: one transaction: the change and its outbox row
  Database-->>Relay: polled: soon after a hint, at once after a full page, else every 25 to 400 ms
  Relay->>Topic: publish in order per key
  Relay->>Database: mark the row done
  Topic->>Group: deliver at least once
  Group->>Effect: one transaction: the inbox row and the effect
  Note over Group,Effect: an event that is already in the inbox has no second effect
  Group-->>Topic: commit the offset
  Note over Group: after five failed attempts: the dead letters, and the partition continues
\`\`\`

In one process the relay hands each event to the consumer groups itself and marks the row done when all have committed.`;

function section({ event, key, producers, consumers }: CatalogEntry, comments: Comments): string {
  const { message } = event;
  const rows = message.fields.map((field) => {
    const words = event.vocabulary[field.jsonName];
    const output = [
      comments.get(`${message.typeName}.${field.name}`) ?? '',
      words ? `One of ${words.map((word) => `\`${word}\``).join(', ')}.` : '',
    ];
    const optional = field.proto.proto3Optional ? 'may be absent' : '';
    return `| \`${field.jsonName}\` | ${typeOf(field)} | ${optional} | ${output.filter(Boolean).join(' ').replaceAll('|', '\\|')} |`;
  });
  return [
    `## ${event.name}`,
    '',
    comments.get(message.typeName) ?? '',
    '',
    `- Message: \`${event.type}\``,
    `- Key: \`${key}\``,
    `- Producers: ${producers.join(', ') || 'none'}`,
    `- Consumers: ${consumers.join(', ') || 'none'}`,
    '',
    '| field | type | | meaning |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function typeOf(field: DescField): string {
  switch (field.fieldKind) {
    case 'list':
      return field.listKind === 'scalar' ? `list, each a ${scalarName(field.scalar)}` : 'list of objects';
    case 'map':
      return 'map of texts';
    case 'message':
      return field.message.typeName === 'google.protobuf.Timestamp' ? 'time (RFC 3339)' : 'object';
    case 'scalar':
      return scalarName(field.scalar);
    case 'enum':
      return 'text';
  }
}

function scalarName(scalar: ScalarType): string {
  if (scalar === ScalarType.STRING) return 'text';
  if (scalar === ScalarType.BOOL) return 'true or false';
  return 'whole number';
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeGeneratedPages({ 'docs/events.md': eventsPage() });
