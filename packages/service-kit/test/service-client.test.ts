import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { expect, test } from 'vitest';
import { createServiceClient } from '../src/http/service-client.ts';

test('a client that is stopped has closed the connections that it kept for further calls', async () => {
  // The callee closes none by itself meanwhile.
  const server = createServer({ keepAliveTimeout: 60_000 }, (_req, res) => {
    res.setHeader('content-type', 'application/json').end('{"addresses":[]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createServiceClient({
    locate: () => ({ kind: 'remote', url: `http://127.0.0.1:${port}` }),
    internalSecret: 'secret',
    timeoutMs: 20_000,
  });
  const connected = once(server, 'connection');
  await client.call(listMailAddresses, { body: { userIds: [] } });
  const [socket] = await connected;
  expect(socket.destroyed).toBe(false);
  await client.stop();
  await expect.poll(() => socket.destroyed, { timeout: 10_000 }).toBe(true);
  server.close();
});
