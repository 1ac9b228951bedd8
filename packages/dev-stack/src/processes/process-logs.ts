import { stripVTControlCharacters } from 'node:util';

/** Characters kept of each log, the newest ones. */
const KEPT_LENGTH = 8_000;
const logs = new Map<string, () => string>();

/** Registers the log of a process, or of a part of this one, to be printed with each test that fails. */
export function printLogWhenTestFails(name: string, log: () => string): void {
  logs.set(name, log);
}

/** Returns the ends of all logs that are not empty, each below its name. */
export function logsOfProcesses(): string {
  return [...logs]
    .map(([name, log]) => [name, stripVTControlCharacters(log()).trim().slice(-KEPT_LENGTH)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `-- log of ${name}\n${text}`)
    .join('\n');
}

/** Returns a stream for a logger whose last lines are printed with each test that fails. */
export function logForFailures(name: string): { write(line: string): void } {
  let text = '';
  printLogWhenTestFails(name, () => text);
  return {
    write: (line) => {
      text = (text + line).slice(-2 * KEPT_LENGTH);
    },
  };
}
