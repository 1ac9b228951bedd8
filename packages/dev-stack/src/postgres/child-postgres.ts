import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';

/** Its end of a pipe closes when this process exits in any way: then the server is shut down immediately. */
const GUARD = 'cat >/dev/null; kill -QUIT "$1" 2>/dev/null';

/** As `startEmbeddedPostgres`; the server does not outlive this process, even one that is killed. Needs a POSIX shell. */
export async function startChildPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(options);
  const [pid = ''] = readFileSync(path.join(options.dataDir, 'postmaster.pid'), 'utf8').split('\n');
  const guard = spawn('sh', ['-c', GUARD, 'sh', pid], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  guard.stdin.on('error', () => undefined);
  return {
    ...server,
    async stop() {
      await server.stop();
      // Killed before its pipe closes: by now the process id may be reused.
      guard.kill('SIGKILL');
      guard.stdin.destroy();
    },
  };
}
