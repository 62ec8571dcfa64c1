import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before a database, which cuts connections and loses responses. */
export interface PostgresProxy {
  readonly url: string;
  /** The number of connections that were made through it. */
  readonly connections: number;
  /** Ends all connections. */
  cut(): void;
  /** Passes requests on, and ends the connection in place of the first response that follows. */
  loseNextResponse(): void;
  /** Takes connections and passes nothing on, as a network that drops packets. */
  set isSilent(isSilent: boolean);
  /** Passes requests on, but no response. */
  set isMute(isMute: boolean);
  close(): Promise<void>;
}

export async function openProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let connections = 0;
  let isSilent = false;
  let isLosing = false;
  let isMute = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    connections += 1;
    keep(client);
    const database = keep(connect(Number(port), hostname));
    client.on('data', (data) => void (isSilent || database.write(data)));
    database.on('data', (data) => {
      if (isSilent || isMute) return;
      if (!isLosing) return void client.write(data);
      isLosing = false;
      client.destroy();
      database.destroy();
    });
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' && address ? address.port : 0);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    get connections() {
      return connections;
    },
    cut,
    loseNextResponse: () => {
      isLosing = true;
    },
    set isSilent(value: boolean) {
      isSilent = value;
    },
    set isMute(value: boolean) {
      isMute = value;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
