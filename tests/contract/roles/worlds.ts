import type { Role } from '#contract/organizations/organizations.ts';
import type { Route } from '#contract/route.ts';
import { personalScopes as scopes, scopeOf } from '#contract/scopes.ts';
import { hoursMs } from '../../../src/server/base/clock.ts';
import { startDirectory } from '../../support/sso/directory.ts';
import { startDnsServer } from '../../support/network/dns-server.ts';
import {
  authorizeByCode,
  authorizeClient,
  authorizeDevice,
  createClient,
  type ProgramTokens,
} from '../../support/credentials/oauth.ts';
import { createServiceAccount, createToken } from '../../support/credentials/tokens.ts';
import {
  credentialOf,
  startTestServer,
  type TestResponse,
  type Person,
  type TestServer,
} from '../../support/server/test-server.ts';
import { invite } from './requests/fixtures.ts';
import { expectSuccess, password, type Request, type World } from './requests/world.ts';
import type { ActorName } from './table.ts';
import { tenantId } from './requests/sso.ts';

/**
 * Starts a server. Its worlds share an owner whose session has expired, and an account with a password. `worldFor` returns the world for
 * a request to a route with the expected status: a new one, or one for each actor that all requests share that change nothing.
 */
export async function startWorlds(
  context: Parameters<typeof startTestServer>[0],
  engine: Parameters<typeof startTestServer>[1],
): Promise<{
  server: TestServer;
  createWorld(actor: ActorName): Promise<World>;
  worldFor(actor: ActorName, route: Route, status: number): Promise<World>;
}> {
  const [directory, dns] = [await startDirectory({ tenantId }), await startDnsServer()];
  context.after(() => Promise.all([directory.stop(), dns.stop()]));
  const server = await startTestServer(context, engine, {
    ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
    ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
    ATRIUM_DNS_SERVERS: dns.address,
    ATRIUM_TRUSTED_PROXIES: '127.0.0.1',
  });
  const outside = { directory, dns };
  const lapsed = await server.createPerson('Lapsed');
  server.advance(hoursMs(12));
  const host = await server.createPerson('Host');
  const accountEmail = 'account@example.com';
  const organizationId = await server.createOrganization(host);
  const hostWorld = { server, as: host, owner: host, organizationId, accountEmail, ...outside };
  const { token } = await invite(hostWorld, accountEmail);
  const body = { token, name: 'Account', password };
  await expectSuccess(server, undefined, 'POST /api/invitations/sign-up', body);

  async function createWorld(actor: ActorName): Promise<World> {
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const as = await createActor(actor, owner, organizationId);
    return { server, organizationId, owner, as, accountEmail, ...outside };
  }

  let devices = 0;
  const unchangedWorlds = new Map<ActorName, Promise<World>>();

  function worldFor(actor: ActorName, { id }: Route, status: number): Promise<World> {
    if (status < 400 && scopeOf(id) !== 'read') return createWorld(actor);
    const world = unchangedWorlds.get(actor) ?? createWorld(actor);
    unchangedWorlds.set(actor, world);
    return world;
  }

  async function createActor(
    actor: ActorName,
    owner: Person,
    organizationId: string,
  ): Promise<Person | undefined> {
    switch (actor) {
      case 'none':
        return undefined;
      case 'expired':
        await server.addMember(organizationId, lapsed, 'owner');
        return lapsed;
      case 'owner':
        return owner;
      case 'other': {
        const other = await server.createPerson('Other');
        await server.createOrganization(other);
        return other;
      }
      case 'sso':
        return server.createSsoSession(owner, organizationId);
      case 'sso-other':
        return server.createSsoSession(owner, await server.createOrganization(owner));
      case 'token':
      case 'read-token': {
        const input = { organizationId, scopes: actor === 'token' ? [...scopes] : (['read'] as const) };
        const { token } = await createToken(server, owner, { ...input, scopes: [...input.scopes] });
        return { ...owner, token, isBearer: true };
      }
      case 'service': {
        const input = { organizationId, role: 'admin', scopes: [...scopes] };
        const { token, userId } = await createServiceAccount(server, owner, input);
        return { id: userId, email: `${userId}@service-accounts.invalid`, token, isBearer: true };
      }
      case 'code':
        return asProgram(owner, await authorizeByCode(server, owner, { organizationId, scopes }));
      case 'device': {
        devices += 1;
        // Each has its own address, since only so many requests of one are accepted.
        const from = { 'x-forwarded-for': `2001:db8:${devices.toString(16)}::1` };
        return asProgram(owner, await authorizeDevice(server, owner, { organizationId, scopes }, from));
      }
      case 'client': {
        const client = await createClient(server, owner, { organizationId, role: 'admin', scopes });
        const id = client.clientId;
        return {
          id,
          email: `${id}@service-accounts.invalid`,
          token: await authorizeClient(server, client),
          isBearer: true,
        };
      }
      default:
        return server.createMember(organizationId, actor satisfies Role);
    }
  }

  return { server, createWorld, worldFor };
}

/** Returns a person that a program acts for. */
const asProgram = (person: Person, { access_token: token }: ProgramTokens): Person => ({
  ...person,
  token,
  isBearer: true,
});

/** Sends a request with the session of the world, and its own cookie. */
export function send({ server, as }: World, { line, body, headers, cookie }: Request): Promise<TestResponse> {
  const { cookie: session, ...credential } = as === undefined ? {} : credentialOf(as);
  const cookies = [cookie, session].filter((pair) => pair !== undefined).join('; ');
  return server.call(line, {
    headers: { ...credential, ...headers, ...(cookies !== '' && { cookie: cookies }) },
    ...(body && { body }),
  });
}
