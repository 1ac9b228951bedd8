import { parseWords, UsageError } from './events-command/command.ts';
import { openSchemas } from './events-command/open-schemas.ts';
import { runOperatorCommand } from './operator-command.ts';

const USAGE = `npm run audit -- verify [--head <number>:<hash>]

Verifies that no entry of the audit trail was changed, removed or inserted since it was written, and prints the head of
the chain. Write the head down somewhere else: given again with --head (as often as you like), it shows that the chain
was not made anew in between.

Where: the database of DATABASE_URL, else the one that "npm start" or "npm run start:distributed" runs now on DATA_DIR
(.casewatch).

Exit code: 0 unbroken; 1 broken, or it could not be verified; 2 the words were wrong.`;

const HEAD = /^(\d{1,15}):([\da-f]{64})$/;

/** Runs `npm run audit -- verify`, and `audit verify` of the image. Sets the exit code. */
export function runAuditCommand(words: readonly string[]): Promise<void> {
  return runOperatorCommand(USAGE, async (say) => {
    const noted = readAuditCommand(words);
    if (!noted) {
      say(USAGE);
      return true;
    }
    const { verifyAudit } = await import('@casewatch/admin-log/verify-audit');
    const { schemas, close } = await openSchemas(process.env, [{ name: 'admin-log' }]);
    try {
      const [schema] = schemas;
      if (!schema) throw new Error('This database has no audit trail yet: start Casewatch first.');
      return await verifyAudit(schema.sql, noted, say);
    } finally {
      await close();
    }
  });
}

/** Returns the heads that were noted; undefined when help was asked for. @throws UsageError */
export function readAuditCommand(words: readonly string[]): { seq: number; hash: string }[] | undefined {
  const { values, positionals } = parseWords(words, {
    head: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help || positionals.length === 0) return undefined;
  if (positionals.join(' ') !== 'verify') throw new UsageError(`What is ${positionals.join(' ')}?`);
  return (values.head ?? []).map((text) => {
    const [, seq, hash] = HEAD.exec(text) ?? [];
    if (hash === undefined)
      throw new UsageError('--head is a number, a colon and 64 hexadecimal digits, as verify prints it.');
    return { seq: Number(seq), hash };
  });
}
