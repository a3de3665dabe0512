// A port of this machine that nobody listens on, for servers that cannot choose one themselves.
import { once } from 'node:events';
import net from 'node:net';

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
