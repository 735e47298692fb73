import type { FastifyReply } from 'fastify';
import * as certificateContract from '#contract/sso/certificates.ts';
import * as configurationContract from '#contract/sso/configuration.ts';
import * as connectionContract from '#contract/sso/connections.ts';
import * as domainContract from '#contract/sso/domains.ts';
import * as migrationContract from '#contract/sso/migration.ts';
import * as policyContract from '#contract/sso/policy.ts';
import * as workloadContract from '#contract/sso/workload-identity.ts';
import * as signInContract from '#contract/sso/sign-in.ts';
import type { SsoConnection } from '#contract/sso/connections.ts';
import type { Actor } from '../base/actor.ts';
import { pageRequest } from '../base/paging.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import { afterResponse } from '../http/response/after-response.ts';
import type { Serve } from '../http/serve.ts';
import { isLinkFromElsewhere, requireNavigation } from '../http/request/origin-check.ts';
import { readSessionToken, sessionCookieHeader } from '../http/session-cookie.ts';
import {
  passkeyCookieHeader,
  readPasskeyToken,
  readSignInToken,
  signInCookieHeader,
} from '../http/sign-in-cookie.ts';
import type { NewSession } from '../sessions/sessions.ts';
import { limitStarts } from '../accounts/sign-in-limits.ts';
import type { ResolveTxt } from './domains/record.ts';
import type { SsoSignInDependencies } from './sign-in/attempts.ts';
import {
  deleteSsoConfiguration,
  getSsoConfiguration,
  createOrUpdateSsoConfiguration,
  type SsoConfigurationDependencies,
} from './configuration/configurations.ts';
import { createVerificationLimit, verifySsoDomain, type VerificationDependencies } from './domains/proofs.ts';
import { domainPosition, listSsoDomains } from './domains/domains.ts';
import { findOwnConfiguration, findUrlInstead } from './sign-in/replaced-session.ts';
import { completeSignIn, findSignIn, startSignIn } from './sign-in/sign-in.ts';
import { getSsoStatus } from './configuration/status.ts';

/** Dependencies of the routes for signing in through a directory and for its administration. */
export interface SsoRouteDependencies extends SsoConfigurationDependencies, SsoSignInDependencies {
  readonly resolveTxt: ResolveTxt;
  readonly createOnce: CreateOnce;
  /** Whether cookies are only sent over https. */
  readonly isSecure: boolean;
}

/** Recovery codes are used rarely, so their rules are loaded then. */
const recovery = () => import('./recovery/codes.ts');

/** Serves the configuration with its domains, policy, status and tests, and the sign-ins. */
export function serveSso(serve: Serve, dependencies: SsoRouteDependencies): void {
  const { database, clock } = dependencies;
  const verification = { ...dependencies, limitVerifications: createVerificationLimit() };

  serve(configurationContract.createOrUpdateSsoConfiguration, ({ actor, params, body }) =>
    createOrUpdateSsoConfiguration(dependencies, actor, params.orgId, body),
  );

  serve(configurationContract.getSsoConfiguration, ({ actor, params }) =>
    getSsoConfiguration(database, actor, params.orgId),
  );

  serve(configurationContract.deleteSsoConfiguration, async ({ actor, params }) => {
    await deleteSsoConfiguration(dependencies, actor, params.orgId);
    return undefined;
  });

  serve(domainContract.listSsoDomains, ({ actor, params, query }) =>
    listSsoDomains(database, actor, params.orgId, pageRequest(query, domainPosition)),
  );

  serve(domainContract.verifySsoDomain, ({ actor, params }) =>
    verifySsoDomain(verification, actor, params.orgId, params.domain),
  );

  const policies = () => import('./configuration/policies.ts');

  serve(policyContract.getSsoPolicy, async ({ actor, params }) =>
    (await policies()).getSsoPolicy(database, actor, params.orgId),
  );

  serve(policyContract.putSsoPolicy, async ({ actor, params, body }) =>
    (await policies()).putSsoPolicy(database, clock, actor, params.orgId, body),
  );

  serve(policyContract.createRecoveryCodes, async ({ actor, params }) => ({
    items: await (await recovery()).createRecoveryCodes(database, clock, actor, params.orgId),
  }));

  const migrations = () => import('./migration/migrations.ts');

  serve(migrationContract.getSsoMigration, async ({ actor, params }) =>
    (await migrations()).getSsoMigration(database, actor, params.orgId),
  );

  serve(migrationContract.putSsoMigration, async ({ actor, params, body }) =>
    (await migrations()).putSsoMigration(database, clock, actor, params.orgId, body),
  );

  serve(migrationContract.listFormerPeople, async ({ actor, params, query }) =>
    (await migrations()).listFormerPeople(database, actor, params.orgId, pageRequest(query)),
  );

  serve(migrationContract.undoSsoMigration, async ({ actor, params }) => {
    const person = { organizationId: params.orgId, userId: params.userId };
    await (await migrations()).undoSsoMigration(database, clock, actor, person);
    return undefined;
  });

  serveConnections(serve, dependencies, verification);

  serve(policyContract.getSsoStatus, ({ actor, params }) => getSsoStatus(dependencies, actor, params.orgId));

  serveSignIn(serve, dependencies);
}

/** Serves the directories of organizations, whose rules are loaded at first use. */
function serveConnections(
  serve: Serve,
  dependencies: SsoRouteDependencies,
  verification: VerificationDependencies,
): void {
  const { database } = dependencies;
  const rules = () => import('./configuration/connections.ts');
  const idOf = ({ orgId, connectionId }: { orgId: string; connectionId: string }) => ({
    organizationId: orgId,
    id: connectionId,
  });

  serve(connectionContract.listSsoConnections, async ({ actor, params, query }) =>
    (await rules()).listConnections(dependencies, actor, params.orgId, pageRequest(query)),
  );

  serve(connectionContract.createSsoConnection, async ({ actor, params, body }, reply) => {
    const { orgId: organizationId } = params;
    const { createConnection, getConnection, readNewConnection } = await rules();
    const fields = await readNewConnection(dependencies, body);
    return dependencies.createOnce<SsoConnection, SsoConnection>(reply, actor, {
      create: (transaction) => createConnection(transaction, dependencies, actor, organizationId, fields),
      respond: (connection) => connection,
      requireReadable: (reader, id) =>
        getConnection({ ...dependencies, database: reader }, actor, { organizationId, id }),
    });
  });

  serve(connectionContract.getSsoConnection, async ({ actor, params }) =>
    (await rules()).getConnection(dependencies, actor, idOf(params)),
  );

  serve(connectionContract.putSsoConnection, async ({ actor, params, body }) =>
    (await rules()).putConnection(dependencies, actor, idOf(params), body),
  );

  serve(connectionContract.deleteSsoConnection, async ({ actor, params }) => {
    await (await rules()).deleteConnection(dependencies, actor, idOf(params));
    return undefined;
  });

  serve(connectionContract.getSsoConnectionStatus, async ({ actor, params }) =>
    (await rules()).getConnectionStatus(dependencies, actor, idOf(params)),
  );

  serve(connectionContract.getSsoConnectionPolicy, async ({ actor, params }) =>
    (await rules()).getConnectionPolicy(database, actor, idOf(params)),
  );

  serve(connectionContract.putSsoConnectionPolicy, async ({ actor, params, body }) =>
    (await rules()).putConnectionPolicy(dependencies, actor, idOf(params), body),
  );

  serve(connectionContract.listSsoConnectionDomains, ({ actor, params, query }) =>
    listSsoDomains(database, actor, params.orgId, pageRequest(query, domainPosition), params.connectionId),
  );

  serve(connectionContract.verifySsoConnectionDomain, ({ actor, params }) =>
    verifySsoDomain(verification, actor, params.orgId, params.domain, params.connectionId),
  );

  const certificates = () => import('./certificates/certificates.ts');

  serve(certificateContract.listSsoCertificates, async ({ actor, params }) => ({
    items: await (await certificates()).listCertificates(database, actor, idOf(params)),
  }));

  serve(certificateContract.createSsoCertificate, async ({ actor, params }) =>
    (await certificates()).createCertificate(dependencies, actor, idOf(params)),
  );

  serve(certificateContract.useSsoCertificate, async ({ actor, params }) => {
    const { certificateId } = params;
    return (await certificates()).useCertificate(dependencies, actor, { ...idOf(params), certificateId });
  });

  serve(certificateContract.deleteSsoCertificate, async ({ actor, params }) => {
    const { certificateId } = params;
    await (await certificates()).deleteCertificate(dependencies, actor, { ...idOf(params), certificateId });
    return undefined;
  });

  const workload = () => import('./workload/choice.ts');

  serve(workloadContract.getSsoWorkloadIdentity, async ({ actor, params }) =>
    (await workload()).getWorkloadIdentity(dependencies, actor, idOf(params)),
  );

  serve(workloadContract.putSsoWorkloadIdentity, async ({ actor, params }) =>
    (await workload()).putWorkloadIdentity(dependencies, actor, idOf(params)),
  );

  serve(workloadContract.deleteSsoWorkloadIdentity, async ({ actor, params }) => {
    await (await workload()).deleteWorkloadIdentity(dependencies, actor, idOf(params));
    return undefined;
  });

  serve(connectionContract.createSsoConnectionTest, async ({ actor, params }, reply) => {
    const { orgId: organizationId, connectionId } = params;
    return startTest(dependencies, actor, reply, { organizationId, connectionId });
  });

  serve(connectionContract.getSsoConnectionTest, async ({ actor, params }) => {
    const { orgId: organizationId, connectionId, testId: id } = params;
    return (await tests()).getSsoTest(dependencies, actor, { organizationId, connectionId, id });
  });
}

/** Sends the cookie that binds a sign-in to its browser. */
const bind = ({ isSecure }: SsoRouteDependencies, reply: FastifyReply, browserToken: string): FastifyReply =>
  reply.header('set-cookie', signInCookieHeader(browserToken, isSecure));

const browserTokenOf = ({ isSecure }: SsoRouteDependencies, reply: FastifyReply): string | undefined =>
  readSignInToken(reply.request.headers.cookie, isSecure);

const tests = () => import('./test/sign-ins.ts');

/** Starts a test sign-in in the browser of a request. */
async function startTest(
  dependencies: SsoRouteDependencies,
  actor: Actor,
  reply: FastifyReply,
  of: { readonly organizationId: string; readonly connectionId?: string },
): Promise<{ id: string; url: string }> {
  const input = { ...of, browserToken: browserTokenOf(dependencies, reply) };
  const { id, url, browserToken } = await (await tests()).createSsoTest(dependencies, actor, input);
  bind(dependencies, reply, browserToken);
  return { id, url };
}

function serveSignIn(serve: Serve, dependencies: SsoRouteDependencies): void {
  const { database, clock, publicUrl, isSecure, signInLimits } = dependencies;
  const setSession = (reply: FastifyReply, { token, session: { expiresAt } }: NewSession) =>
    reply.header('set-cookie', sessionCookieHeader(token, { expiresAt, now: clock(), isSecure }));

  serve(signInContract.startSsoByEmail, ({ body }) => findSignIn(database, publicUrl, body));

  serve(signInContract.startSso, async ({ params, query, client }, reply) => {
    const { headers } = reply.request;
    requireNavigation(headers);
    if (isLinkFromElsewhere(headers)) {
      const url = await findUrlInstead(dependencies, readSessionToken(headers.cookie), params.orgId, query);
      if (url !== undefined) {
        reply.header('location', url);
        return undefined;
      }
    }
    await limitStarts(signInLimits, client);
    const sessionToken = readSessionToken(headers.cookie);
    const own =
      query.prompt === 'login'
        ? await findOwnConfiguration(dependencies, sessionToken, params.orgId)
        : undefined;
    const input = {
      ...query,
      connection: query.connection ?? own,
      organizationId: params.orgId,
      browserToken: browserTokenOf(dependencies, reply),
      ...client,
    };
    const { url, browserToken } = await startSignIn(dependencies, input);
    bind(dependencies, reply, browserToken).header('location', url);
    return undefined;
  });

  serve(signInContract.completeSso, async ({ params, client }, reply) => {
    requireNavigation(reply.request.headers);
    const browserToken = browserTokenOf(dependencies, reply);
    const { returnTo, session, waitsForPassword } = await completeSignIn(dependencies, {
      configurationId: params.configId,
      url: new URL(reply.request.url, publicUrl),
      browserToken,
      ...client,
    });
    if (session !== undefined) setSession(reply, session);
    // The time limit starts again for entering the password.
    if (waitsForPassword && browserToken !== undefined) bind(dependencies, reply, browserToken);
    reply.header('location', returnTo);
    return undefined;
  });

  const links = () => import('./sign-in/link-confirmation.ts');

  serve(signInContract.readSsoLink, async ({ body }, reply) =>
    (await links()).readPendingLink(dependencies, {
      ...body,
      browserToken: browserTokenOf(dependencies, reply),
    }),
  );

  serve(signInContract.startSsoLinkPasskey, async ({ body, client }, reply) => {
    await limitStarts(dependencies.signInLimits, client);
    const browser = { ...body, browserToken: browserTokenOf(dependencies, reply) };
    const { requestLinkPasskey } = await links();
    const { options, token } = await requestLinkPasskey(dependencies, browser);
    reply.header('set-cookie', passkeyCookieHeader(token, dependencies.isSecure));
    return options;
  });

  serve(signInContract.confirmSsoLink, async ({ body, client }, reply) => {
    const challengeToken = readPasskeyToken(reply.request.headers.cookie, dependencies.isSecure);
    const input = { ...body, challengeToken, client, browserToken: browserTokenOf(dependencies, reply) };
    const { confirmLink } = await links();
    const { returnTo, session } = await confirmLink(dependencies, input, afterResponse(reply));
    setSession(reply, session);
    return { returnTo };
  });

  serve(signInContract.createSsoTest, async ({ actor, params }, reply) => {
    return startTest(dependencies, actor, reply, { organizationId: params.orgId });
  });

  serve(signInContract.getSsoTest, async ({ actor, params }) =>
    (await tests()).getSsoTest(dependencies, actor, { organizationId: params.orgId, id: params.testId }),
  );

  serve(policyContract.signInByRecoveryCode, async ({ body, client }, reply) => {
    const { email, code } = body;
    const { signInByRecoveryCode } = await recovery();
    const signedIn = await signInByRecoveryCode(
      database,
      clock,
      signInLimits,
      { email, code, ...client },
      afterResponse(reply),
    );
    setSession(reply, signedIn);
    return { user: signedIn.user, session: signedIn.session };
  });
}
