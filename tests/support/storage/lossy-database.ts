import { atEndOf, type Owner } from '../endings.ts';
import { startFaultProxy } from '../network/fault-proxy.ts';
import { openTestDatabase, type TestDatabase } from '../server/test-server.ts';

/** A database on PostgreSQL behind a network that can lose the response to a commit. */
export interface LossyDatabase extends TestDatabase {
  /** Resets the connection of the next commit instead of confirming it. Resolves when that has happened. */
  loseNextCommit(): Promise<void>;
}

/** Opens a fresh database behind a proxy that ends with `owner`. */
export async function openLossyDatabase(owner: Owner): Promise<LossyDatabase> {
  let loseResponseTo: (text: string) => Promise<void> = () => Promise.reject(new Error('There is no proxy.'));
  const opened = await openTestDatabase('PostgreSQL', async (url) => {
    const address = new URL(url);
    const proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
    atEndOf(owner, () => proxy.close());
    loseResponseTo = proxy.loseResponseTo;
    address.port = String(proxy.port);
    return address.href;
  });
  // With the zero that ends the statement, since `read committed` contains the word, too.
  return { ...opened, loseNextCommit: () => loseResponseTo('commit\0') };
}
