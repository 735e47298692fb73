import { hashPassword } from '../../../src/server/accounts/passwords.ts';
import type { Person, TestServer } from '../server/test-server.ts';

/** Sets the password of a person. */
export async function setPassword(server: TestServer, { id }: Person, password: string): Promise<void> {
  const hash = await hashPassword(password);
  await server.database.write((transaction) =>
    transaction.execute(`update users set password_hash = '${hash}' where id = '${id}'`),
  );
}
