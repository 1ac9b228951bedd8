import { randomUUID } from 'node:crypto';
import { resolveSession } from '@casewatch/contracts/identity';
import express from 'express';

/** Knows every session id and gives each a user of its own: the least an identity service can do for a gateway. */
const users = new Map<string, string>();
const app = express();
app.post(resolveSession.path, express.text({ type: '*/*' }), (req, res) => {
  const question = String(req.body);
  const userId = users.get(question) ?? randomUUID();
  users.set(question, userId);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  res.json({ session: { userId, tier: 'free', name: 'Bench', expiresAt } });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening ${typeof address === 'object' ? address?.port : ''} `);
});
process.on('SIGTERM', () => process.exit(0));
