import { existsSync } from 'node:fs';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { UsageError } from './events-command/command.ts';
import { explainStartFailure } from './explain.ts';
import { putLoginsIntoUrls } from './separate-logins.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_WORDS = 2;

/**
 * Runs a command of an operator with the settings of `.env`, and sets the exit code: 0, 1 where it resolves to false
 * or fails, 2 for wrong words, which are answered with the usage.
 */
export async function runOperatorCommand(
  usage: string,
  run: (say: (line: string) => void) => Promise<boolean>,
): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  putLoginsIntoUrls(process.env);
  try {
    process.exitCode = (await run((line) => console.log(line))) ? DONE : FAILED;
  } catch (error) {
    if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
    else if (error instanceof AppError) console.error(error.message);
    else
      console.error(
        explainStartFailure(error, 0) ?? (error instanceof Error ? error.message : String(error)),
      );
    process.exitCode = error instanceof UsageError ? WRONG_WORDS : FAILED;
  }
}
