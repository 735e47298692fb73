import { setOperator } from '../../../src/server/organizations/operators.ts';
import { storePasskey } from '../credentials/authenticator.ts';
import type { Person, TestServer } from '../server/test-server.ts';

/** Makes a person an operator of the server, with a passkey as the second factor that operators need. */
export async function makeOperator(server: TestServer, person: Person): Promise<void> {
  await server.database.write((transaction) => setOperator(transaction, person.id, true));
  await storePasskey(server, person);
}
