import net from 'node:net';

/** Writes bytes to the server and gives everything it answers until it closes the connection. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(bytes, 'latin1');
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}
