import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { freePort } from '../free-port.ts';
import { type OwnTestRedis, waitForRedis } from './redis-server.ts';

const IMAGE = 'redis:7.4-alpine';
const REDIS_PORT = 6_379;

/** Starts the official image in a container; undefined where no container engine answers. */
export async function startRedisContainer(): Promise<OwnTestRedis | undefined> {
  const engine = await getContainerRuntimeClient().catch(() => undefined);
  if (!engine) return undefined;
  // A port of our choice: one given by the engine would change with a restart.
  const port = await freePort();
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts({ container: REDIS_PORT, host: port })
    .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const { host } = engine.info.containerRuntime;
  await waitForRedis(host, port);
  const raw = engine.container.getById(container.getId());
  return {
    url: `redis://${host}:${port}`,
    stop: async () => {
      await container.stop();
    },
    kill: async () => {
      await raw.kill();
    },
    restart: async () => {
      await raw.start();
      await waitForRedis(host, port);
    },
  };
}
