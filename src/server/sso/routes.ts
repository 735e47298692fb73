import type { FastifyReply } from 'fastify';
import * as configurationContract from '#contract/sso/configuration.ts';
import * as domainContract from '#contract/sso/domains.ts';
import * as migrationContract from '#contract/sso/migration.ts';
import * as policyContract from '#contract/sso/policy.ts';
import * as signInContract from '#contract/sso/sign-in.ts';
import { pageRequest } from '../base/paging.ts';
import { afterResponse } from '../http/response/after-response.ts';
import type { Serve } from '../http/serve.ts';
import { isLinkFromElsewhere, requireNavigation } from '../http/request/origin-check.ts';
import { readSessionToken, sessionCookieHeader } from '../http/session-cookie.ts';
import { readSignInToken, signInCookieHeader } from '../http/sign-in-cookie.ts';
import type { NewSession } from '../sessions/sessions.ts';
import { limitStarts } from '../accounts/sign-in-limits.ts';
import type { ResolveTxt } from './domains/record.ts';
import { confirmLink, readPendingLink } from './sign-in/link-confirmation.ts';
import { createRecoveryCodes, signInByRecoveryCode } from './recovery/codes.ts';
import type { SsoSignInDependencies } from './sign-in/attempts.ts';
import {
  deleteSsoConfiguration,
  getSsoConfiguration,
  createOrUpdateSsoConfiguration,
  type SsoConfigurationDependencies,
} from './configuration/configurations.ts';
import { createVerificationLimit, verifySsoDomain } from './domains/proofs.ts';
import { domainPosition, listSsoDomains } from './domains/domains.ts';
import { getSsoPolicy, putSsoPolicy } from './configuration/policies.ts';
import {
  getSsoMigration,
  listFormerPeople,
  putSsoMigration,
  undoSsoMigration,
} from './migration/migrations.ts';
import { findUrlInstead } from './sign-in/replaced-session.ts';
import { completeSignIn, findSignIn, startSignIn } from './sign-in/sign-in.ts';
import { getSsoStatus } from './configuration/status.ts';
import { createSsoTest, getSsoTest } from './test/sign-ins.ts';

/** Dependencies of the routes for signing in through a directory and for its administration. */
export interface SsoRouteDependencies extends SsoConfigurationDependencies, SsoSignInDependencies {
  readonly resolveTxt: ResolveTxt;
  /** Whether cookies are only sent over https. */
  readonly isSecure: boolean;
}

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

  serve(policyContract.getSsoPolicy, ({ actor, params }) => getSsoPolicy(database, actor, params.orgId));

  serve(policyContract.putSsoPolicy, ({ actor, params, body }) =>
    putSsoPolicy(database, clock, actor, params.orgId, body),
  );

  serve(policyContract.createRecoveryCodes, async ({ actor, params }) => ({
    items: await createRecoveryCodes(database, clock, actor, params.orgId),
  }));

  serve(migrationContract.getSsoMigration, ({ actor, params }) =>
    getSsoMigration(database, actor, params.orgId),
  );

  serve(migrationContract.putSsoMigration, ({ actor, params, body }) =>
    putSsoMigration(database, clock, actor, params.orgId, body),
  );

  serve(migrationContract.listFormerPeople, ({ actor, params, query }) =>
    listFormerPeople(database, actor, params.orgId, pageRequest(query)),
  );

  serve(migrationContract.undoSsoMigration, async ({ actor, params }) => {
    await undoSsoMigration(database, clock, actor, { organizationId: params.orgId, userId: params.userId });
    return undefined;
  });

  serve(policyContract.getSsoStatus, ({ actor, params }) => getSsoStatus(dependencies, actor, params.orgId));

  serveSignIn(serve, dependencies);
}

function serveSignIn(serve: Serve, dependencies: SsoRouteDependencies): void {
  const { database, clock, publicUrl, isSecure, signInLimits } = dependencies;
  const bind = (reply: FastifyReply, browserToken: string) =>
    reply.header('set-cookie', signInCookieHeader(browserToken, isSecure));
  const setSession = (reply: FastifyReply, { token, session }: NewSession) =>
    reply.header('set-cookie', sessionCookieHeader(token, session.expiresAt, isSecure));
  const browserTokenOf = (reply: FastifyReply) => readSignInToken(reply.request.headers.cookie, isSecure);

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
    const input = { ...query, organizationId: params.orgId, browserToken: browserTokenOf(reply), ...client };
    const { url, browserToken } = await startSignIn(dependencies, input);
    bind(reply, browserToken).header('location', url);
    return undefined;
  });

  serve(signInContract.completeSso, async ({ params, client }, reply) => {
    requireNavigation(reply.request.headers);
    const browserToken = browserTokenOf(reply);
    const { returnTo, session, waitsForPassword } = await completeSignIn(dependencies, {
      configurationId: params.configId,
      url: new URL(reply.request.url, publicUrl),
      browserToken,
      ...client,
    });
    if (session !== undefined) setSession(reply, session);
    // The time limit starts again for entering the password.
    if (waitsForPassword && browserToken !== undefined) bind(reply, browserToken);
    reply.header('location', returnTo);
    return undefined;
  });

  serve(signInContract.readSsoLink, ({ body }, reply) =>
    readPendingLink(dependencies, { ...body, browserToken: browserTokenOf(reply) }),
  );

  serve(signInContract.confirmSsoLink, async ({ body, client }, reply) => {
    const input = { ...body, client, browserToken: browserTokenOf(reply) };
    const { returnTo, session } = await confirmLink(dependencies, input, afterResponse(reply));
    setSession(reply, session);
    return { returnTo };
  });

  serve(signInContract.createSsoTest, async ({ actor, params }, reply) => {
    const input = { organizationId: params.orgId, browserToken: browserTokenOf(reply) };
    const { id, url, browserToken } = await createSsoTest(dependencies, actor, input);
    bind(reply, browserToken);
    return { id, url };
  });

  serve(signInContract.getSsoTest, ({ actor, params }) =>
    getSsoTest(dependencies, actor, { organizationId: params.orgId, id: params.testId }),
  );

  serve(policyContract.signInByRecoveryCode, async ({ body, client }, reply) => {
    const { email, code } = body;
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
