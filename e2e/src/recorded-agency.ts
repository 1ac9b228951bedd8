import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { expect } from '@playwright/test';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts the agency simulator in sandbox mode as a process of its own, behind a proxy that remembers every token on its way. `url` is what the
 * product calls, `control` the simulator's control API.
 */
export async function startRecordedAgency(client: { clientId: string; clientSecret: string }) {
  const port = await freePort();
  const simulator = spawn(path.join(root, 'node_modules/node/bin/node'), ['simulators/agency/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      AGENCY_CLIENT_ID: client.clientId,
      AGENCY_CLIENT_SECRET: client.clientSecret,
      AGENCY_SIMULATOR_PORT: String(port),
      AGENCY_SIMULATOR_CONTROL: 'true',
      AGENCY_SIMULATOR_POPULATION: 'sandbox',
    },
  });
  const direct = `http://127.0.0.1:${port}`;
  const tokens = new Set<string>();
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = 'text/plain' } = request.headers;
    const answer = await fetch(direct + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': type },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const body = await answer.text();
    const token = /"access_token":\s*"([^"]+)"/.exec(body)?.[1];
    if (token !== undefined) tokens.add(token);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  await expect
    .poll(() =>
      fetch(`${direct}/__control`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tokens,
    async control(method: string, command: string, body: unknown) {
      const answer = await fetch(`${direct}/__control/${command}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.ok, await answer.text()).toBe(true);
    },
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      simulator.kill('SIGTERM');
    },
  };
}
