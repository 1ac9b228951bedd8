import type { ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { expect, test } from 'vitest';
import { writeHead } from './response-headers.ts';
import { createSecurityHeaders } from './security-headers.ts';

test('of a service’s answer what concerns its connection, its software or our policy is not passed on', () => {
  const own = createSecurityHeaders({ publicUrl: 'https://cases.example.org', pages: [] });
  const removed = [
    ...['keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
    ...['upgrade', 'date', 'server', 'x-powered-by', 'x-hop'],
    ...['content-security-policy', 'strict-transport-security', 'permissions-policy', 'x-frame-options'],
    ...['cross-origin-opener-policy', 'referrer-policy', 'x-content-type-options', 'x-request-id'],
  ];
  const headers = {
    ...Object.fromEntries(removed.map((name) => [name, 'theirs'])),
    connection: 'close, X-Hop',
    'content-type': 'application/json',
    'set-cookie': ['a=1', 'b=2'],
    etag: undefined,
  };
  const written: unknown[] = [];
  const res: Pick<ServerResponse, 'req' | 'writeHead'> = {
    // Only the part that is read of it.
    req: { headers: { [REQUEST_ID_HEADER]: 'our-id' } } as unknown as ServerResponse['req'],
    writeHead: (...head: unknown[]) => {
      written.push(...head);
      return res as ServerResponse;
    },
  };
  writeHead(res as ServerResponse, { status: 201, headers }, own);
  expect(written).toEqual([
    201,
    [...own.forData('our-id'), 'content-type', 'application/json', 'set-cookie', ['a=1', 'b=2']],
  ]);
});
