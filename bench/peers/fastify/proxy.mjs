// Fastify with @fastify/http-proxy and nothing else; `MODULES` is the folder that both are installed in.
import { createRequire } from 'node:module';
import path from 'node:path';

const load = createRequire(path.join(process.env.MODULES, 'package.json'));
const app = load('fastify')({ logger: false });
app.register(load('@fastify/http-proxy'), {
  upstream: process.env.TARGET,
  undici: { connections: 256, pipelining: 1 },
});
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`listening ${app.server.address().port} `);
process.on('SIGTERM', () => process.exit(0));
