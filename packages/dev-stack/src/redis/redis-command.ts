import { connect } from 'node:net';

const HOST = '127.0.0.1';

/** Sends commands one after the other; resolves to all answers in wire format. */
export function sendRedisCommand(port: number, ...commands: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port }, () =>
      socket.end(`${[...commands, 'QUIT'].join('\r\n')}\r\n`),
    );
    let output = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(output));
  });
}
