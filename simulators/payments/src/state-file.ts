import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createStore, type PaymentsState, type Store } from './state.ts';

const FORMAT = 1;
/** Changes that follow each other within this time are written once. */
const GATHER_MS = 100;

interface SavedFile {
  format: number;
  /** How far the simulator's clock is ahead. */
  aheadMs: number;
  collections: Record<string, [string, unknown][] | undefined>;
}

/** Returns the saved state; undefined when there is no file yet. @throws when the file is not one of this format */
export function loadState(file: string): { store: Store; aheadMs: number } | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const saved: unknown = JSON.parse(text);
  if (!isSaved(saved))
    throw new Error(`${file} holds no state of this payments simulator: remove it to start over`);
  const store = createStore();
  for (const [name, map] of Object.entries<Map<string, unknown>>({ ...store })) {
    for (const [id, value] of saved.collections[name] ?? []) map.set(id, value);
  }
  for (const customer of store.customers.values()) {
    // Of a file from before customers had a card of their own.
    if (!('deleted' in customer)) customer.invoice_settings ??= { default_payment_method: null };
  }
  return { store, aheadMs: saved.aheadMs };
}

/** Writes the state shortly after `changed`, and at once with `stop`. Does nothing without a file. */
export function createStateSaver(state: PaymentsState, file: string | undefined) {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    timer = undefined;
    if (file !== undefined) saveState(file, state);
  };
  return {
    changed: () => {
      if (file !== undefined) timer ??= setTimeout(save, GATHER_MS);
    },
    stop: () => {
      clearTimeout(timer);
      save();
    },
  };
}

/** Replaces the whole file: a reader, or a crash, finds the old state or the new one. */
function saveState(file: string, { store, clock }: PaymentsState): void {
  const collections = Object.fromEntries(Object.entries(store).map(([name, map]) => [name, [...map]]));
  const saved: SavedFile = { format: FORMAT, aheadMs: clock.aheadMs(), collections };
  mkdirSync(path.dirname(file), { recursive: true });
  const written = `${file}.${process.pid}.new`;
  writeFileSync(written, JSON.stringify(saved), { mode: 0o600 });
  renameSync(written, file);
}

/** The file is the simulator's own: its format number vouches for its content. */
function isSaved(value: unknown): value is SavedFile {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT;
}
