import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DescField, fromBinary, ScalarType } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { EventType } from '@casewatch/contracts/event-type';
import * as exported from '@casewatch/contracts/events';
import { writeGeneratedPages } from './generated-pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The events by the name that code imports them by. */
const events = new Map<string, EventType<never>>(
  Object.entries(exported).flatMap(([name, value]) => (isEvent(value) ? [[name, value] as const] : [])),
);

/** Returns `docs/events.md`: topic, key, fields from proto/; producers and consumers from the services' code. */
export function eventsPage(): string {
  const comments = readComments();
  const flows = readFlows();
  const sections = [...events]
    .sort(([, a], [, b]) => a.name.localeCompare(b.name))
    .map(([name, event]) => section(event, comments, flows.get(name) ?? { producers: [], consumers: [] }));
  return [
    '# Events',
    '',
    'Made from `proto/` and the services (`npm run docs`). The topic is the name below, behind the configured',
    'prefix. The value is ProtoJSON; order is kept per key. Headers, as CloudEvents 1.0 in binary mode has them:',
    '`ce_id` (UUIDv7, what the inboxes remember), `ce_type`, `ce_source` (`/casewatch/<service>`), `ce_time`,',
    '`ce_specversion`, `content-type`, and `traceparent` where there is a trace. Fields are only ever added;',
    'readers ignore those that they do not know.',
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

interface Flow {
  producers: string[];
  consumers: string[];
}

function section(event: EventType<never>, comments: ReadonlyMap<string, string>, flow: Flow): string {
  const { message } = event;
  const rows = message.fields.map((field) => {
    const words = event.vocabulary[field.jsonName];
    const said = [
      comments.get(`${message.typeName}.${field.name}`) ?? '',
      words ? `One of ${words.map((word) => `\`${word}\``).join(', ')}.` : '',
    ];
    const optional = field.proto.proto3Optional ? 'may be absent' : '';
    return `| \`${field.jsonName}\` | ${typeOf(field)} | ${optional} | ${said.filter(Boolean).join(' ').replaceAll('|', '\\|')} |`;
  });
  return [
    `## ${event.name}`,
    '',
    comments.get(message.typeName) ?? '',
    '',
    `- Message: \`${event.type}\``,
    `- Key: \`${keyOf(event)}\``,
    `- Producers: ${flow.producers.join(', ') || 'none'}`,
    `- Consumers: ${flow.consumers.join(', ') || 'none'}`,
    '',
    '| field | type | | meaning |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function keyOf({ message, key }: EventType<never>): string {
  const names = Object.fromEntries(message.fields.map(({ jsonName }) => [jsonName, jsonName]));
  return key(names as never);
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

/** Comments of messages (`casewatch.events.v1.UserDeleted`) and fields (`….user_id`), as one line each. */
function readComments(): Map<string, string> {
  const image = execFileSync(
    path.join(root, 'node_modules/.bin/buf'),
    ['build', path.join(root, 'proto'), '-o', '-'],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const comments = new Map<string, string>();
  for (const file of fromBinary(FileDescriptorSetSchema, image).file) {
    for (const { path: place, leadingComments } of file.sourceCodeInfo?.location ?? []) {
      const name = nameAt(file, place);
      if (name && leadingComments)
        comments.set(
          name,
          leadingComments
            .trim()
            .split(/\s*\n\s*/)
            .join(' '),
        );
    }
  }
  return comments;
}

/** Paths of descriptor.proto: message i is [4, i], its field j [4, i, 2, j]. */
function nameAt(file: FileDescriptorProto, place: readonly number[]): string | undefined {
  const [kind, messageIndex = 0, part, fieldIndex = 0] = place;
  const message = file.messageType[messageIndex];
  if (kind !== 4 || !message) return undefined;
  const name = `${file.package}.${message.name}`;
  if (place.length === 2) return name;
  return place.length === 4 && part === 2 ? `${name}.${message.field[fieldIndex]?.name}` : undefined;
}

/** `publish(event, …)` of a unit of work, or `bus.publish(transaction, event, …)`; `transaction` may be a call. */
const PUBLISH_CALL = /\bpublish(?:All)?\(\s*(\w+)(?:\(\w*\))?,\s*(\w+)?/g;

/** A service consumes the events it defines handlers of, and produces those it lists or publishes. */
function readFlows(): Map<string, Flow> {
  const flows = new Map<string, Flow>(
    [...events.keys()].map((name) => [name, { producers: [], consumers: [] }]),
  );
  for (const service of folders(path.join(root, 'services'))) {
    const source = sourcesOf(path.join(root, 'services', service, 'src'));
    const add = (side: keyof Flow, name: string | undefined) => {
      const list = flows.get(name ?? '')?.[side];
      if (list && !list.includes(service)) list.push(service);
    };
    for (const [, name] of source.matchAll(/define(?:Batch)?Handler\(\s*[^,]+,\s*(\w+)/g))
      add('consumers', name);
    for (const [, first, second] of source.matchAll(PUBLISH_CALL)) {
      add('producers', first);
      add('producers', second);
    }
    const listed = /export const publishes = \[([^\]]*)\]/.exec(source)?.[1] ?? '';
    for (const [name] of listed.matchAll(/\w+/g)) add('producers', name);
  }
  return flows;
}

function sourcesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name) && !entry.parentPath.includes('generated'),
    )
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

function folders(parent: string): string[] {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(path.join(parent, entry.name)).includes('src'))
    .map((entry) => entry.name)
    .sort();
}

function isEvent(value: unknown): value is EventType<never> {
  return typeof value === 'object' && value !== null && 'decode' in value && 'message' in value;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeGeneratedPages({ 'docs/events.md': eventsPage() });
