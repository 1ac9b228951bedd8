import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** Express and http-proxy-middleware with a keep-alive agent and nothing else: the floor of a gateway. */
const app = express();
app.use(
  createProxyMiddleware({
    target: process.env.TARGET ?? '',
    agent: new Agent({ keepAlive: true, maxSockets: 256 }),
  }),
);
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening ${typeof address === 'object' ? address?.port : ''} `);
});
process.on('SIGTERM', () => process.exit(0));
