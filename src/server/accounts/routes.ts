import type { FastifyReply } from 'fastify';
import { signUpByInvitation as signUpByInvitationRoute } from '#contract/organizations/invitations.ts';
import * as resetContract from '#contract/accounts/password-reset.ts';
import * as contract from '#contract/accounts/sessions.ts';
import { getSetUp, setUp as setUpRoute } from '#contract/server.ts';
import type { SessionActor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import type { SecretBox } from '../base/credentials/secret-box.ts';
import type { OrganizationCreation } from '../settings/table.ts';
import { pageRequest } from '../base/paging.ts';
import { afterResponse } from '../http/response/after-response.ts';
import type { Serve } from '../http/serve.ts';
import { endedSessionCookieHeader, sessionCookieHeader } from '../http/session-cookie.ts';
import { readPasskeyToken, readSignInToken, secondStepCookieHeader } from '../http/sign-in-cookie.ts';
import type { Mailer } from '../mail/mailer.ts';
import { someoneHasAccount } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { servePasskeys } from './passkeys/routes.ts';
import { changePassword, getAccount, updateAccount } from './account.ts';
import { confirmIdentity } from './confirmation.ts';
import { signUpByInvitation } from './invitation-sign-up.ts';
import { mailPasswordChanged } from './password-mails.ts';
import type { EndAccessOfPerson } from './password-reset/ended-access.ts';
import { requestPasswordReset, resetPassword } from './password-reset/password-reset.ts';
import {
  endOtherSessions,
  endSession,
  getSession,
  listSessions,
  revokeSession,
  type NewSession,
} from '../sessions/sessions.ts';
import { secondFactorRequired } from './second-factor/proofs.ts';
import { serveSecondFactors } from './second-factor/routes.ts';
import { setUp } from './set-up.ts';
import { signInByEmail } from './sign-in.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The identity provider of a session, and the ID token of its sign-in. */
interface DirectorySignOut {
  readonly configurationId: string;
  readonly idToken: string | undefined;
}

/** Dependencies of the routes for accounts and sessions. */
export interface SessionRouteDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly signInLimits: SignInLimits;
  readonly secretBox: SecretBox;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  /** Whether cookies are only sent over https. */
  readonly isSecure: boolean;
  readonly organizationCreation: OrganizationCreation;
  /** Returns the identity provider of a session that was obtained through one, or undefined. */
  readonly readSignOut: (actor: SessionActor) => Promise<DirectorySignOut | undefined>;
  /** Returns where a browser signs out at the identity provider as well, or undefined. */
  readonly findLogoutUrl: (signOut: DirectorySignOut) => Promise<string | undefined>;
  /** Cancels a browser's sign-ins through a directory that are in progress. */
  readonly endSignIns: (browserToken: string) => Promise<void>;
  readonly endAccessOfPerson: EndAccessOfPerson;
}

export function serveSessions(serve: Serve, dependencies: SessionRouteDependencies): void {
  const { database, clock, isSecure, endSignIns } = dependencies;

  function sendSession(reply: FastifyReply, { token, user, session }: NewSession): contract.SignedIn {
    const { expiresAt } = session;
    reply.header('set-cookie', sessionCookieHeader(token, { expiresAt, now: clock(), isSecure }));
    return { user, session };
  }

  serve(contract.signInByEmail, async ({ body, client }, reply) => {
    const input = { ...body, ...client };
    const signedIn = await signInByEmail(dependencies, input, afterResponse(reply));
    if (!('pendingToken' in signedIn)) return sendSession(reply, signedIn);
    const { pendingToken, methods } = signedIn;
    throw secondFactorRequired(methods, { 'set-cookie': secondStepCookieHeader(pendingToken, isSecure) });
  });

  serveSecondFactors(serve, dependencies, sendSession);
  servePasskeys(serve, dependencies, sendSession);

  serve(contract.signOut, async ({ actor }, reply) => {
    // Deleted with the session, which ends before the directory is asked for anything.
    const signOut = await dependencies.readSignOut(actor);
    await endSession(database, actor);
    const browserToken = readSignInToken(reply.request.headers.cookie, isSecure);
    if (browserToken !== undefined) await endSignIns(browserToken);
    reply.header('set-cookie', endedSessionCookieHeader(isSecure));
    const logoutUrl = signOut && (await dependencies.findLogoutUrl(signOut));
    return logoutUrl === undefined ? {} : { logoutUrl };
  });

  serve(contract.getSession, ({ actor }) => getSession(database, actor));

  serve(contract.listSessions, ({ actor, query }) =>
    listSessions(database, clock, actor, pageRequest(query)),
  );

  serve(contract.revokeSession, async ({ actor, body }) => {
    await revokeSession(database, actor, body.id);
    return undefined;
  });

  serve(contract.revokeOtherSessions, async ({ actor }) => {
    await database.write((transaction) => endOtherSessions(transaction, clock, actor));
    return undefined;
  });

  serve(contract.getAccount, ({ actor }) => getAccount(database, actor, dependencies));
  serve(contract.confirmIdentity, async ({ actor, body, client }, reply) => {
    const challengeToken = readPasskeyToken(reply.request.headers.cookie, isSecure);
    const input = { ...body, challengeToken, client };
    await confirmIdentity(dependencies, actor, input, afterResponse(reply));
    return undefined;
  });

  serve(contract.updateUser, ({ actor, body }) => updateAccount(database, clock, actor, body));

  serve(contract.changePassword, async ({ actor, body, client }, reply) => {
    const later = afterResponse(reply);
    const { endedSessions, email } = await changePassword(dependencies, actor, { ...body, client }, later);
    later(() => mailPasswordChanged(dependencies, email));
    return { endedSessions };
  });

  serve(resetContract.requestPasswordReset, ({ body, client }, reply) =>
    requestPasswordReset(dependencies, { ...body, ...client }, afterResponse(reply)),
  );

  serve(resetContract.resetPassword, ({ body, client }, reply) =>
    resetPassword(dependencies, { ...body, ...client }, afterResponse(reply)),
  );

  serve(signUpByInvitationRoute, async ({ body, client }, reply) => {
    const { token, name, password } = body;
    return sendSession(
      reply,
      await signUpByInvitation(database, clock, { token, name, password, ...client }),
    );
  });

  serve(getSetUp, async () => ({ required: !(await someoneHasAccount(database)) }));

  serve(setUpRoute, async ({ body, client }, reply) => {
    const { token, email, name, password, organization } = body;
    return sendSession(
      reply,
      await setUp(database, clock, { token, email, name, password, organization, ...client }),
    );
  });
}
