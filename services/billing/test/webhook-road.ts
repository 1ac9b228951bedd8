import type { IncomingHttpHeaders } from 'node:http';
import { listen } from '@casewatch/service-kit/http/http-server';
import Stripe from 'stripe';

export interface SentEvent {
  id: string;
  type: string;
  body: string;
}

/** Between the simulator and the service: notes every event, and passes it on or keeps it back. */
export async function startWebhookRoad() {
  const events: SentEvent[] = [];
  let target: string | undefined;
  const server = await listen(
    async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const { id, type } = JSON.parse(body) as { id: string; type: string };
      if (!events.some((event) => event.id === id)) events.push({ id, type, body });
      const status = target ? await passOn(target, body, req.headers) : 200;
      res.writeHead(status).end();
    },
    { host: '127.0.0.1', port: 0 },
  );
  return {
    url: server.url,
    /** Everything that was sent so far, each event once. */
    events,
    /** Where events go from now on; undefined keeps them back. */
    leadTo(url: string | undefined) {
      target = url;
    },
    stop: () => server.drain(),
  };
}

async function passOn(target: string, body: string, headers: IncomingHttpHeaders): Promise<number> {
  const answer = await fetch(target, {
    method: 'POST',
    headers: {
      'content-type': headers['content-type'] ?? '',
      'stripe-signature': String(headers['stripe-signature']),
    },
    body,
  }).catch(() => undefined);
  return answer?.status ?? 502;
}

/** As Stripe signs it. */
export function signed(body: string, secret: string, atMs: number): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: Math.floor(atMs / 1000),
  });
}
