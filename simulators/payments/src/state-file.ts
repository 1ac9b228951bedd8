import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IdempotencyKeys } from './http/idempotency.ts';
import type { MovedClock } from './moved-clock.ts';
import { createStore, type Store } from './store.ts';

/** What outlives the process. */
export interface SavedState {
  store: Store;
  idempotency: ReturnType<IdempotencyKeys['entries']>;
  /** How far the simulator's clock is ahead. */
  aheadMs: number;
}

interface StateToSave {
  store: Store;
  idempotency: IdempotencyKeys;
  clock: MovedClock;
}

const FORMAT = 1;

/** Replaces the file whole: a reader, or a crash, finds the old state or the new one. */
export function saveState(file: string, { store, idempotency, clock }: StateToSave): void {
  const collections = Object.fromEntries(Object.entries(store).map(([name, map]) => [name, [...map]]));
  const text = JSON.stringify({
    format: FORMAT,
    aheadMs: clock.aheadMs(),
    idempotency: idempotency.entries(),
    collections,
  });
  mkdirSync(path.dirname(file), { recursive: true });
  const made = `${file}.${process.pid}.new`;
  writeFileSync(made, text, { mode: 0o600 });
  renameSync(made, file);
}

/** Undefined when there is no file yet. @throws when there is one that can't be read */
export function loadState(file: string): SavedState | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const saved: unknown = JSON.parse(text);
  if (!isSaved(saved))
    throw new Error(`${file} holds no state of the payments simulator: remove it to begin anew`);
  const store = createStore();
  for (const [name, map] of Object.entries(store)) {
    for (const [id, value] of saved.collections[name] ?? []) (map as Map<string, unknown>).set(id, value);
  }
  return { store, idempotency: saved.idempotency, aheadMs: saved.aheadMs };
}

interface SavedFile {
  format: number;
  aheadMs: number;
  idempotency: SavedState['idempotency'];
  collections: Record<string, [string, unknown][] | undefined>;
}

/** The file is the simulator's own: its format number vouches for what is in it. */
function isSaved(value: unknown): value is SavedFile {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT;
}
