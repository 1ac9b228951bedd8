import { readFileSync } from 'node:fs';
import { noStreams, openStream } from './stream-client.ts';

/** What `startStreamClients` asks of this process, as JSON. */
export type Order =
  | { kind: 'open'; count: number; from: number; perSecond: number; urls: readonly string[] }
  | { kind: 'counts' }
  | { kind: 'received' };

const SOURCE_ADDRESSES = 8;
const SLICE_MS = 50;
const cookies: string[] = JSON.parse(readFileSync(String(process.argv[2]), 'utf8'));
const counts = noStreams();
const received = new Map<string, number>();

process.on('message', (text) => {
  const order: Order = JSON.parse(String(text));
  if (order.kind === 'open') void open(order);
  else process.send?.(JSON.stringify(order.kind === 'counts' ? counts : [...received]));
});

async function open({ count, from, perSecond, urls }: Extract<Order, { kind: 'open' }>): Promise<void> {
  const slice = Math.ceil((perSecond * SLICE_MS) / 1_000);
  for (let n = 0; n < count; n++) {
    openStream({
      urls,
      cookie: cookies[from + n] ?? '',
      counts,
      localAddress: `127.0.0.${2 + (n % SOURCE_ADDRESSES)}`,
      onNotification: (id) => received.set(id, (received.get(id) ?? 0) + 1),
    });
    if ((n + 1) % slice === 0) await new Promise((resolve) => setTimeout(resolve, SLICE_MS));
  }
}
