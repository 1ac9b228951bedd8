import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import tls from 'node:tls';
import { makeSelfSigned } from './self-signed.ts';

/**
 * Starts an HTTPS server on loopback that answers everything with `{}`, whose certificate this process trusts meanwhile, and an HTTP proxy
 * (RFC 9110, 9.3.6: CONNECT) that leads to it whatever host is asked for.
 */
export async function startConnectProxy() {
  const certificate = await makeSelfSigned();
  const believed = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...believed, certificate.cert]);
  const origin = createSecureServer(certificate, (request, answer) => {
    request.resume();
    answer.writeHead(201, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const { port } = origin.address() as AddressInfo;
  const asked: (string | undefined)[] = [];
  const proxy = createServer().listen(0, '127.0.0.1');
  proxy.on('connect', ({ url }, client) => {
    asked.push(url);
    const target = connect(port, '127.0.0.1', () =>
      client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    );
    for (const socket of [client, target]) socket.on('error', () => undefined);
    client.pipe(target).pipe(client);
  });
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** Of the server behind it, where it is reached without the proxy, too. */
    origin: `https://localhost:${port}`,
    host: `localhost:${port}`,
    /** What the proxy was asked to connect to. */
    asked,
    async stop() {
      for (const server of [proxy, origin]) {
        server.closeAllConnections();
        server.close();
      }
      tls.setDefaultCACertificates(believed);
      certificate.remove();
    },
  };
}
