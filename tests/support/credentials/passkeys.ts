import { setPassword } from '../organizations/passwords.ts';
import { password } from '../organizations/second-factors.ts';
import { startTestServer, type Person, type TestServer } from '../server/test-server.ts';
import { addPasskey, type Forgery } from './authenticator.ts';

/** Someone with a password, a passkey and an organization. */
export interface PasskeyAccount extends Awaited<ReturnType<typeof addPasskey>> {
  readonly person: Person;
  readonly organizationId: string;
}

/** Starts a server with Ada, who has a passkey, and returns what creates more people like her. */
export async function startPasskeyOffice(...start: Parameters<typeof startTestServer>): Promise<{
  server: TestServer;
  createAccount: (name: string) => Promise<PasskeyAccount>;
  ada: PasskeyAccount;
}> {
  const server = await startTestServer(...start);
  const createAccount = async (name: string): Promise<PasskeyAccount> => {
    const person = await server.createPerson(name);
    await setPassword(server, person, password);
    const organizationId = await server.createOrganization(person);
    return { person, organizationId, ...(await addPasskey(server, person)) };
  };
  return { server, createAccount, ada: await createAccount('Ada') };
}

/** What the browser of another page sends, or one that had another challenge: refused whatever the passkey is for. */
export const foreignResponses: readonly (readonly [string, Forgery])[] = [
  ['another origin', { origin: 'https://localhost.evil.example' }],
  ['another port', { origin: 'http://localhost:3001' }],
  ['a frame', { crossOrigin: true }],
  ['a frame of another site', { crossOrigin: true, topOrigin: 'https://evil.example' }],
  ['another RP ID', { rpId: 'evil.example' }],
  ['another challenge', { challenge: 'A'.repeat(43) }],
];
