import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../child.ts';
import type { Order } from './clients.ts';
import type { StreamCounts } from './stream-client.ts';

export type StreamClients = ReturnType<typeof startStreamClients>;

/**
 * Holds streams in a process of its own, one for each of the cookies in the file: the open files of a process are limited, and
 * their openings must not delay what measures.
 */
export function startStreamClients(cookieFile: string) {
  const child = fork(path.join(root, 'bench/src/streams/clients.ts'), [cookieFile]);
  const send = (order: Order) => child.send(JSON.stringify(order));
  const ask = async (kind: 'counts' | 'received'): Promise<string> => {
    send({ kind });
    return String((await once(child, 'message'))[0]);
  };
  return {
    open: (order: Omit<Extract<Order, { kind: 'open' }>, 'kind'>) => send({ kind: 'open', ...order }),
    async counts(): Promise<StreamCounts> {
      return JSON.parse(await ask('counts'));
    },
    /** How often each notification came, by its id. */
    async received(): Promise<Map<string, number>> {
      const entries: [string, number][] = JSON.parse(await ask('received'));
      return new Map(entries);
    },
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
