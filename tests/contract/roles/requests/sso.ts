import assert from 'node:assert/strict';
import { createUser } from '../../../../src/server/organizations/users.ts';
import { hashPassword } from '../../../../src/server/accounts/passwords.ts';
import { verifyDomainAsOperator } from '../../../../src/server/sso/domains/proofs.ts';
import { deleteMember } from '../../../../src/server/organizations/member-store.ts';
import { insertSuspended } from '../../../../src/server/organizations/suspension/store.ts';
import { insertIdentity } from '../../../../src/server/sso/identity/store.ts';
import { linkTokenOf } from '../../../support/sso/responses.ts';
import { expectSuccess, password, type World } from './world.ts';

/** The directory's tenant. */
export const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
export const configuration = {
  provider: 'idp_ad',
  clientId: 'client',
  emailDomains: ['example.com'],
  enabled: true,
};

/** A domain that only this organization names. */
export const domainOf = (organizationId: string): string => `${organizationId}.example`;

/** Signs a person in at the directory; returns the request to the callback. */
export async function comeBack(
  { server, directory, organizationId: id }: World,
  address: string,
): Promise<{ line: string; cookie: string }> {
  const { headers } = await server.call(`GET /api/sso/start/${id}`);
  const subject = `someone of ${id}`;
  directory.addPerson({ subject, claims: { preferred_username: address } });
  const back = new URL(await directory.signIn(String(headers['location']), subject));
  return {
    line: `GET ${back.pathname}${back.search}`,
    cookie: String(headers['set-cookie']).split(';')[0] ?? '',
  };
}

/** Signs a member in at the directory whose account has the same address, and has to be linked. */
export async function waitForPassword(world: World): Promise<{ token: string; cookie: string }> {
  const { server, organizationId: id } = world;
  await connect(world);
  const email = `member@${domainOf(id)}`;
  const passwordHash = await hashPassword(password);
  const user = await server.database.write((transaction) =>
    createUser(transaction, Date.now, { email, name: 'Member', passwordHash }),
  );
  await server.addMember(id, { ...user, token: '' }, 'viewer');
  const { line, cookie } = await comeBack(world, email);
  return { token: linkTokenOf(await server.call(line, { headers: { cookie } })), cookie };
}

/** Creates a member to whom a migration has given an identity at the current provider. Returns the user's id. */
export async function createMovedPerson(world: World): Promise<string> {
  const { server, organizationId, owner, directory } = world;
  await connect(world);
  const { id: userId } = await server.createMember(organizationId, 'viewer');
  const { body } = await expectSuccess(server, owner, `GET /api/sso/orgs/${organizationId}/config`);
  const key = { configurationId: body.id, issuer: directory.issuer, subject: userId };
  await server.database.write((transaction) =>
    insertIdentity(transaction, { ...key, organizationId, userId, at: body.createdAt, isMoved: true }),
  );
  return userId;
}

/** Stores a configuration of the organization. */
export async function configure({ server, owner, organizationId }: World): Promise<void> {
  await expectSuccess(server, owner, `POST /api/sso/orgs/${organizationId}/config`, configuration);
}

/** Stores a configuration of the organization that is ready. */
export async function connect({ server, owner, organizationId, directory }: World): Promise<void> {
  const path = `/api/sso/orgs/${organizationId}`;
  const { clientId, clientSecret } = directory;
  const domain = domainOf(organizationId);
  const body = { ...configuration, clientId, clientSecret, tenantId, emailDomains: [domain] };
  await expectSuccess(server, owner, `POST ${path}/config`, body);
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
  const { body: status } = await expectSuccess(server, owner, `GET ${path}/status`);
  assert.equal(status.state, 'ready');
  directory.allowRedirect(status.redirectUri);
}

/** A directory beside the first one. */
export const connection = {
  name: 'Subsidiary',
  provider: 'oidc',
  clientId: 'client',
  clientSecret: 'secret',
  emailDomains: ['example.com'],
  enabled: true,
};

const connections = new WeakMap<World, Promise<string>>();

/** Returns the id of a directory beside the first one, once for each world, that is ready but for its domain. */
export function connectionOf(world: World): Promise<string> {
  const id = connections.get(world) ?? addConnection(world);
  connections.set(world, id);
  return id;
}

async function addConnection({ server, owner, organizationId, directory }: World): Promise<string> {
  const { clientId, clientSecret, discoveryUrl } = directory;
  const emailDomains = [domainOf(organizationId)];
  const body = {
    ...connection,
    provider: 'entra',
    clientId,
    clientSecret,
    tenantId,
    discoveryUrl,
    emailDomains,
  };
  const created = await expectSuccess(
    server,
    owner,
    `POST /api/sso/orgs/${organizationId}/connections`,
    body,
  );
  return created.body.id;
}

/** Creates a member whose membership is suspended. Returns the user's id. */
export async function createSuspended({ server, organizationId }: World): Promise<string> {
  const { id: userId } = await server.createMember(organizationId, 'viewer');
  await server.database.write(async (transaction) => {
    await insertSuspended(transaction, { organizationId, userId, at: '2026-01-01T00:00:00.000Z' });
    await deleteMember(transaction, organizationId, userId);
  });
  return userId;
}
