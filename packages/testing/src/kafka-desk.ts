import { createServer } from 'node:http';
import { startTestKafka, type TestKafka } from './kafka.ts';

/**
 * One Kafka for a whole test run, started when the first test asks for it, so that runs without such tests don't
 * pay for it. Runs in vitest's main process; tests ask from their workers over loopback.
 */
export async function openKafkaDesk() {
  let kafka: Promise<TestKafka> | undefined;
  const server = createServer((_request, response) => {
    kafka ??= startTestKafka();
    kafka.then(
      ({ brokers }) => response.end(JSON.stringify({ brokers })),
      (error: Error) => response.writeHead(503).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      const started = await kafka?.catch(() => undefined);
      await started?.stop();
    },
  };
}
