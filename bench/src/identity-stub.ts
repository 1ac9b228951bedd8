import { randomUUID } from 'node:crypto';
import { type ResolvedSession, resolveSession } from '@casewatch/contracts/identity';
import express from 'express';

/** Knows every session id and gives each a user of its own: the least an identity service can do for a gateway. */
const sessions = new Map<string, ResolvedSession>();
const app = express();
app.post(resolveSession.path, express.text({ type: '*/*' }), (req, res) => {
  const question = String(req.body);
  const session = sessions.get(question) ?? newSession();
  sessions.set(question, session);
  res.json({ session });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening ${typeof address === 'object' ? address?.port : ''} `);
});
process.on('SIGTERM', () => process.exit(0));

function newSession(): ResolvedSession {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  return { userId: randomUUID(), sessionId: randomUUID(), tier: 'free', name: 'Bench', expiresAt };
}
