import { setOperator } from '../../../src/server/organizations/operators.ts';
import type { Person, TestServer } from '../server/test-server.ts';

/** Makes a person an operator of the server. */
export async function makeOperator({ database }: TestServer, { id }: Person): Promise<void> {
  await database.write((transaction) => setOperator(transaction, id, true));
}
