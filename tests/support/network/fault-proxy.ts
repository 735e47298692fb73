import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy on loopback that can fail like a network. */
export interface FaultProxy {
  readonly port: number;
  /** The number of open connections. */
  connectionCount(): number;
  /**
   * Stops forwarding the bytes of open connections, in either direction, without closing them: a silent partition.
   * Connections that are opened later work, unless `includingNew`.
   */
  partition(options?: { readonly includingNew?: boolean }): void;
  /** Like `partition`, as soon as connections have received `byteCount` more bytes from the server in total. */
  partitionAfter(byteCount: number): void;
  /** Forwards everything again, starting with what was held back. */
  heal(): void;
  /** Connects to another server from now on. */
  retarget(target: { readonly host: string; readonly port: number }): void;
  /** Resets every open connection. */
  cutAll(): void;
  /**
   * Forwards the next message to the server that contains `text`, waits for the response, and resets the connection
   * instead of forwarding the response. With `commit`, the transaction is committed, but its client doesn't know.
   * Resolves when that has happened.
   */
  loseResponseTo(text: string): Promise<void>;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  isHeld: boolean;
  /** Called with the next response, which isn't forwarded. */
  onResponse: (() => void) | undefined;
}

/** Starts a proxy to `host:port` on a free port of loopback. */
export async function startFaultProxy(first: {
  readonly host: string;
  readonly port: number;
}): Promise<FaultProxy> {
  let target = first;
  const links = new Set<Link>();
  /** Also those whose other side was closed during a partition, which doesn't close them. */
  const open = new Set<Socket>();
  let holdsNew = false;
  let bytesUntilPartition = Infinity;
  let loss: { readonly text: string; readonly resolve: () => void } | undefined;

  const listener = createServer((client) => {
    const server = connect(target);
    const link: Link = { client, server, isHeld: false, onResponse: undefined };
    links.add(link);
    if (holdsNew) hold(link);
    client.on('data', (bytes: Buffer) => {
      if (loss !== undefined && bytes.includes(loss.text)) {
        const { resolve } = loss;
        loss = undefined;
        link.onResponse = () => {
          cut(link);
          resolve();
        };
      }
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (link.onResponse !== undefined) return link.onResponse();
      client.write(bytes);
      bytesUntilPartition -= bytes.length;
      if (bytesUntilPartition <= 0) holdOpen();
    });
    for (const [side, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(side);
      side.on('error', () => undefined);
      side.on('close', () => {
        open.delete(side);
        links.delete(link);
        if (!link.isHeld) other.destroy();
      });
      side.on('end', () => {
        if (!link.isHeld) other.end();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));

  function hold(link: Link): void {
    link.isHeld = true;
    link.client.pause();
    link.server.pause();
  }

  function holdOpen(): void {
    bytesUntilPartition = Infinity;
    for (const link of links) hold(link);
  }

  function cut({ client, server }: Link): void {
    client.resetAndDestroy();
    server.destroy();
  }

  return {
    port: (listener.address() as AddressInfo).port,
    connectionCount: () => links.size,
    partition: ({ includingNew = false } = {}) => {
      holdsNew = includingNew;
      holdOpen();
    },
    partitionAfter: (byteCount) => {
      bytesUntilPartition = byteCount;
    },
    heal: () => {
      holdsNew = false;
      bytesUntilPartition = Infinity;
      for (const link of links) {
        link.isHeld = false;
        link.client.resume();
        link.server.resume();
      }
    },
    retarget: (next) => {
      target = next;
    },
    cutAll: () => {
      for (const link of links) cut(link);
    },
    loseResponseTo: (text) =>
      new Promise((resolve) => {
        loss = { text, resolve };
      }),
    close: async () => {
      for (const link of links) cut(link);
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
