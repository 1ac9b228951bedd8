import type { PersonalRow } from '@casewatch/contracts/my-data';
import { openDownload } from '../../api/call-api.ts';
import * as endpoints from '../../api/endpoints.ts';
import { createFile } from '../../lib/save-file.ts';
import type { Progress } from './export-file.ts';
import { readLines } from './read-lines.ts';

const SOURCES: readonly (readonly [
  name: string,
  open: (options: { signal: AbortSignal }) => Promise<Response>,
])[] = [
  ['account', (options) => openDownload(endpoints.downloadMyIdentityData, options)],
  ['cases', (options) => openDownload(endpoints.downloadMyCasesData, options)],
  ['monitoring', (options) => openDownload(endpoints.downloadMyMonitoringData, options)],
  ['notifications', (options) => openDownload(endpoints.downloadMyNotificationsData, options)],
  ['billing', (options) => openDownload(endpoints.downloadMyBillingData, options)],
  ['surveys', (options) => openDownload(endpoints.downloadMySurveysData, options)],
  ['lookups', (options) => openDownload(endpoints.downloadMyAdminLogData, options)],
];

/** Loads what every service holds about the user into one JSON file; when one of them fails there is none. */
export async function loadMyData(
  now: Date,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<{ name: string; file: Blob }> {
  const file = createFile('application/json');
  file.write(`{"exportedAt":${JSON.stringify(now.toISOString())}`);
  for (const [index, [name, open]] of SOURCES.entries()) {
    onProgress({ done: index, total: SOURCES.length });
    file.write(`,\n"${name}":{`);
    await writeTables(await open({ signal }), file.write);
    file.write('}');
  }
  file.write('}\n');
  return { name: `casewatch-my-data-${now.toISOString().slice(0, 10)}.json`, file: file.finish() };
}

/** Lines come table after table. */
async function writeTables(response: Response, write: (text: string) => void): Promise<void> {
  let current: string | undefined;
  for await (const lines of readLines(response)) {
    for (const line of lines) {
      const { table, row } = JSON.parse(line) as PersonalRow;
      if (table === current) write(',');
      else write(`${current === undefined ? '' : '],'}\n${JSON.stringify(table)}:[`);
      write(`\n${JSON.stringify(row)}`);
      current = table;
    }
  }
  if (current !== undefined) write(']');
}
