import { atEndOf, type Owner } from '../endings.ts';
import { startFaultProxy } from '../network/fault-proxy.ts';
import { openTestDatabase, type Engine, type TestDatabase } from '../server/test-server.ts';

/** Opens a fresh database. After `lose`, it no longer responds: PostgreSQL falls silent, and SQLite fails at once. */
export async function openLosableDatabase(
  owner: Owner,
  engine: Engine,
): Promise<{ opened: TestDatabase; lose(): Promise<void> }> {
  let lose = (): Promise<void> => opened.database.close();
  const opened = await openTestDatabase(engine, async (url) => {
    const address = new URL(url);
    const proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
    atEndOf(owner, () => proxy.close());
    lose = async () => proxy.partition({ includingNew: true });
    address.port = String(proxy.port);
    return address.href;
  });
  return { opened, lose };
}
