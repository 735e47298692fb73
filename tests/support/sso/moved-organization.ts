import assert from 'node:assert/strict';
import type { TestResponse, Person } from '../server/test-server.ts';
import type { Directory } from './directory.ts';
import type { SsoOrganization } from './organization.ts';
import { pathOf, toPerson } from './responses.ts';
import type { SsoWorld } from './world.ts';

/** An organization whose people signed in through Entra, and which then changed to AD FS. */
export interface MovedOrganization extends SsoOrganization {
  readonly entra: Directory;
  readonly adfs: Directory;
  /** Lets people keep their accounts. */
  accept(changes?: Readonly<Record<string, unknown>>, as?: Person): Promise<TestResponse>;
  /** Returns the people of former providers, without their ids, their names and what only a preview needs. */
  people(): Promise<Record<string, unknown>[]>;
  /** Adds a person to AD FS, with these claims instead of the principal name. Returns the subject. */
  addToAdfs(name: string, claims?: Readonly<Record<string, unknown>>): string;
  /** Signs in at AD FS. Returns the response of the callback. */
  signInAtAdfs(subject: string): Promise<TestResponse>;
  enterAtAdfs(subject: string): Promise<Person>;
  /** Points the configuration to one of the directories. */
  moveTo(directory: Directory): Promise<void>;
}

/** Creates an organization, lets people sign in through Entra, then changes the configuration to AD FS. */
export async function createMoved(
  { server, entra, adfs, createOrganization }: SsoWorld,
  enterBefore: (organization: SsoOrganization) => Promise<void>,
): Promise<MovedOrganization> {
  const organization = await createOrganization();
  const { id, domain } = organization;
  adfs.allowRedirect((await organization.status()).redirectUri);
  await enterBefore(organization);
  const moveTo = ({ clientId, clientSecret, tenantId, discoveryUrl }: Directory) =>
    organization.save({
      clientId,
      clientSecret,
      tenantId,
      discoveryUrl: tenantId === undefined ? discoveryUrl : undefined,
    });
  await moveTo(adfs);
  const signInAtAdfs = async (subject: string) => {
    const { url, cookie } = await organization.start();
    return server.call(`GET ${pathOf(await adfs.signIn(url, subject))}`, { headers: { cookie } });
  };
  return {
    ...organization,
    entra,
    adfs,
    moveTo,
    accept: (changes = {}, as = organization.owner) =>
      organization.call('PUT /migration', { as, body: { byAddress: true, people: [], ...changes } }),
    people: async () => {
      const { status, body } = await server.call(`GET /api/sso/orgs/${id}/migration/people`, {
        as: organization.owner,
      });
      assert.equal(status, 200);
      return body.items.map(
        ({
          userId: _,
          name: __,
          needsPassword,
          addressProblem: ___,
          ...person
        }: Record<string, unknown>) => ({
          ...person,
          ...(needsPassword === true && { needsPassword }),
        }),
      );
    },
    addToAdfs: (name, claims = { upn: `${name.toLowerCase()}@${domain}` }) => {
      const subject = `${domain} ${name} at AD FS`;
      adfs.addPerson({ subject, claims });
      return subject;
    },
    signInAtAdfs,
    enterAtAdfs: async (subject) => toPerson(server, await signInAtAdfs(subject)),
  };
}
