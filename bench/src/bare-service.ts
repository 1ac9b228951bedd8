import express from 'express';

/** The least a service can do: answers every request with `BODY_BYTES` of JSON. */
const body = { text: 'x'.repeat(Number(process.env.BODY_BYTES ?? 1500)) };
const app = express();
app.use((_req, res) => {
  res.json(body);
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening ${typeof address === 'object' ? address?.port : ''} `);
});
process.on('SIGTERM', () => process.exit(0));
