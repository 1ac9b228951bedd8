import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { EventType } from '@casewatch/contracts/event-type';
import * as exported from '@casewatch/contracts/events';

/** An event with what `proto/` and the services say of it. */
export interface CatalogEntry {
  readonly event: EventType<never>;
  /** Name of the field whose value is the key. */
  readonly key: string;
  /** Services that publish it, and services that handle it. */
  readonly producers: readonly string[];
  readonly consumers: readonly string[];
}

/** Comments in `proto/` by full name: `casewatch.events.v1.UserDeleted` and `….user_id`, each as one line. */
export type Comments = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL('..', import.meta.url));

/** The events by the name that code imports them by. */
const events = new Map<string, EventType<never>>(
  Object.entries(exported).flatMap(([name, value]) => (isEvent(value) ? [[name, value] as const] : [])),
);

/** Returns every event by topic, with the comments in its messages. */
export function readEventCatalog(): {
  readonly entries: readonly CatalogEntry[];
  readonly comments: Comments;
} {
  const flows = readFlows();
  const entries = [...events].map(([name, event]) => ({
    event,
    key: keyOf(event),
    producers: flows.get(name)?.producers ?? [],
    consumers: flows.get(name)?.consumers ?? [],
  }));
  return {
    entries: entries.sort((a, b) => a.event.name.localeCompare(b.event.name)),
    comments: readComments(),
  };
}

function keyOf({ message, key }: EventType<never>): string {
  const names = Object.fromEntries(message.fields.map(({ jsonName }) => [jsonName, jsonName]));
  return key(names as never);
}

interface Flow {
  producers: string[];
  consumers: string[];
}

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
