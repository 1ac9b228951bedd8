import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { z } from 'zod';
import type { FuzzedProduct } from './fuzzed-product.ts';
import { findSchemathesis } from './schemathesis.ts';

/** `admin` has the passcode, and so is an owner; `auditor` is a named administrator who sees masked data. */
export type FuzzRole = 'anonymous' | 'free' | 'pro' | 'admin' | 'auditor';

export interface FuzzOptions {
  /** The same one sends the same requests. */
  seed: number;
  /** How many cases are made up for each operation, besides those that follow from its schema. */
  examples: number;
  /** These operations only; all unless given. */
  operations?: readonly string[];
}

export interface Fuzzed {
  /** Every check of every answer held. */
  passed: boolean;
  /** The output of Schemathesis, with a request to repeat for each failure. */
  output: string;
  /** Answers by operation and status. */
  answers: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

const folder = fileURLToPath(new URL('..', import.meta.url));
const SCHEMES = { free: 'session', pro: 'session', admin: 'admin', auditor: 'admin' } as const;
const tally = z.record(z.string(), z.record(z.string(), z.number()));

/** Sends the product what its OpenAPI document allows, and what it does not, and checks each answer against it. */
export async function fuzz(
  { url, passcode, personal, sessionOf }: FuzzedProduct,
  role: FuzzRole,
  { seed, examples, operations = [] }: FuzzOptions,
): Promise<Fuzzed> {
  const { command, words, env } = await findSchemathesis();
  const notes = mkdtempSync(path.join(tmpdir(), 'casewatch-fuzz-run-'));
  try {
    const config = path.join(notes, 'schemathesis.toml');
    const common = readFileSync(path.join(folder, 'schemathesis.toml'), 'utf8');
    const session =
      role === 'anonymous' ? '' : `\n[auth.openapi.${SCHEMES[role]}]\napi_key = "${await sessionOf(role)}"\n`;
    // Refused for the role by routes that are right to refuse others for a reason that no schema can express.
    const refusing = role === 'auditor' ? common.replaceAll('"401", "404"', '"401", "403", "404"') : common;
    writeFileSync(config, refusing + session);
    const tallied = path.join(notes, 'answers.json');
    const child = spawnChild(
      command,
      [
        ...[...words, '--config-file', config, 'run', `${url}/api/openapi.json`, '--no-color'],
        ...['--seed', String(seed), '--max-examples', String(examples)],
        ...operations.flatMap((operation) => ['--include-operation-id', operation]),
        // Links lead from one operation to another: from a single one there is none, which counts as an error.
        ...(operations.length === 1 ? ['--phases', 'examples,coverage,fuzzing'] : []),
      ],
      {
        cwd: notes,
        env: {
          ...process.env,
          ...env,
          SCHEMATHESIS_HOOKS: path.join(folder, 'hooks.py'),
          FUZZ_URL: url,
          FUZZ_ROLE: role,
          FUZZ_PASSCODE: passcode,
          FUZZ_ANSWERS: tallied,
          FUZZ_PERSONAL: JSON.stringify(role === 'auditor' ? personal : []),
        },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [code] = await once(child, 'close');
    return { passed: code === 0, output, answers: readAnswers(tallied) };
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
}

function readAnswers(file: string): Fuzzed['answers'] {
  const counts = tally.parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(
    Object.entries(counts).map(([operation, statuses]) => [
      operation,
      new Map(Object.entries(statuses).map(([status, count]) => [Number(status), count])),
    ]),
  );
}
