import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Leads a browser to the product, until it is shut: then there is no connection, whatever the engine. */
export async function startGate(productUrl: string) {
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((browser) => {
    if (isShut) return void browser.destroy();
    const product = connect(Number(new URL(productUrl).port), '127.0.0.1');
    join(browser, product);
    join(product, browser);
  });
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('error', () => to.destroy()).on('close', () => sockets.delete(from) && to.destroy());
    from.pipe(to);
  };
  const shut = () => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut,
    open() {
      isShut = false;
    },
    stop() {
      server.close();
      shut();
    },
  };
}
