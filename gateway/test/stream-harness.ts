import { once } from 'node:events';
import http from 'node:http';
import type { Writable } from 'node:stream';
import { streamNotifications } from '@casewatch/contracts/notifications';
import { listen } from '@casewatch/service-kit/http/http-server';
import { streamRoute } from '@casewatch/service-kit/http/route';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import { createServiceRouter } from '@casewatch/service-kit/http/service-router';
import { pino } from 'pino';
import { type Harness, type HarnessOptions, type Kind, startGateway } from './gateway-harness.ts';

export type StreamGateway = Awaited<ReturnType<typeof startStreamGateway>>;

/** A gateway in front of a service that opens a stream for every request and leaves it to the test. */
export async function startStreamGateway(kind: Kind, options: Omit<HarnessOptions, 'kind'> = {}) {
  const opened: { out: Writable; lastEventId: string | undefined }[] = [];
  const router = createServiceRouter({
    routes: [
      streamRoute(streamNotifications, async ({ request }) => ({
        stream: (out) => opened.push({ out, lastEventId: request.lastEventId }),
      })),
    ],
    verifyToken: () => ({ userId: 'ada', sessionId: 'session', tier: 'free', name: 'Ada' }),
    internalSecrets: undefined,
  });
  const logger = pino({ level: 'silent' });
  const server = await listen(createServiceApp({ routers: [router], ready: async () => undefined, logger }), {
    host: '127.0.0.1',
    port: 0,
  });
  const h = await startGateway({
    ...options,
    kind,
    upstreams: (made) => {
      made.set('notifications', kind === 'local' ? { kind, router } : { kind, url: server.url });
      options.upstreams?.(made);
    },
  });
  let stopped: Promise<void> | undefined;
  const stopGateway = () => {
    stopped ??= h.stop();
    return stopped;
  };
  return {
    h,
    opened,
    /** The gateway alone. */
    stopGateway,
    async stop() {
      await stopGateway();
      await server.drain();
    },
  };
}

/** Opens a stream as a browser does; the session is a new one unless given. */
export async function openStream(
  h: Harness,
  { sid = h.signIn().sid, headers = {} }: { sid?: string; headers?: Record<string, string> } = {},
) {
  const request = http.get(`${h.url}/api/notifications/stream`, {
    headers: { cookie: `sid=${sid}`, ...headers },
  });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.setEncoding('utf8').on('error', () => undefined);
  return { sid, request, answer };
}
