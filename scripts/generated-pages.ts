import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes pages by their path from the root. */
export function writeGeneratedPages(pages: Record<string, string>): void {
  for (const [file, text] of Object.entries(pages)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

/** Returns what the page says now, in the checkout. */
export const readPage = (file: string): string => readFileSync(path.join(root, file), 'utf8');
