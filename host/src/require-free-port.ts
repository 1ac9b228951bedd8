import { createServer } from 'node:net';

/** Fails at once instead of after the database has started. @throws EADDRINUSE, EACCES, EADDRNOTAVAIL. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(port, host, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}
