import { createServer } from 'node:http';

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Shares one server among all test files of a run. It starts when the first test asks for it, so that runs without
 * such tests don't pay for it. Runs in vitest's main process; tests ask from their workers with `askForServer`.
 */
export async function shareServer<Server extends Stoppable>(
  start: () => Promise<Server>,
  addressOf: (server: Server) => string,
) {
  let server: Promise<Server> | undefined;
  const desk = createServer((_request, response) => {
    server ??= start();
    server.then(
      (started) => response.end(addressOf(started)),
      (error: Error) => response.writeHead(503).end(error.message),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  desk.unref();
  const address = desk.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop(): Promise<void> {
      desk.close();
      desk.closeAllConnections();
      const started = await server?.catch(() => undefined);
      await started?.stop();
    },
  };
}

/** Returns the address of the server shared at `url`. @throws when it can't be started, saying what is missing */
export async function askForServer(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
