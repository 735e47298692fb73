import * as contract from '#contract/accounts/second-factors.ts';
import { afterResponse } from '../../http/response/after-response.ts';
import type { Serve } from '../../http/serve.ts';
import { readPasskeyToken, readSecondStepToken } from '../../http/sign-in-cookie.ts';
import { confirmApp, getSecondFactors, removeApp, replaceRecoveryCodes, startApp } from './factors.ts';
import { mailSecondFactorChange, type MailDependencies } from './mails.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import type { FastifyReply } from 'fastify';
import type { SignedIn } from '#contract/accounts/sessions.ts';
import { completeSignIn } from './pending-sign-in.ts';
import type { SecondFactorDependencies } from './proofs.ts';

/** Serves the second factors of accounts, and the second step of signing in. */
export function serveSecondFactors(
  serve: Serve,
  dependencies: SecondFactorDependencies & MailDependencies & { readonly isSecure: boolean },
  sendSession: (reply: FastifyReply, session: NewSession) => SignedIn,
): void {
  const { database, publicUrl, isSecure } = dependencies;

  serve(contract.signInBySecondFactor, async ({ body, client }, reply) => {
    const pendingToken = readSecondStepToken(reply.request.headers.cookie, isSecure);
    const challengeToken = readPasskeyToken(reply.request.headers.cookie, isSecure);
    const input = { pendingToken, proof: body, challengeToken, client };
    return sendSession(reply, await completeSignIn(dependencies, input, afterResponse(reply)));
  });

  serve(contract.getSecondFactors, ({ actor }) => getSecondFactors(database, actor, publicUrl));

  serve(contract.startAuthenticatorApp, ({ actor }) => startApp(dependencies, actor));

  serve(contract.confirmAuthenticatorApp, async ({ actor, body }, reply) => {
    const { email, isFirst, recoveryCodes, endedSessions } = await confirmApp(dependencies, actor, body.code);
    const change = isFirst ? 'app_added' : 'app_replaced';
    afterResponse(reply)(() => mailSecondFactorChange(dependencies, email, change));
    return { ...(recoveryCodes !== undefined && { recoveryCodes }), endedSessions };
  });

  serve(contract.removeAuthenticatorApp, async ({ actor }, reply) => {
    const email = await removeApp(dependencies, actor);
    afterResponse(reply)(() => mailSecondFactorChange(dependencies, email, 'app_removed'));
    return undefined;
  });

  serve(contract.replaceAccountRecoveryCodes, async ({ actor }, reply) => {
    const { email, codes } = await replaceRecoveryCodes(dependencies, actor);
    afterResponse(reply)(() => mailSecondFactorChange(dependencies, email, 'codes_replaced'));
    return { items: codes };
  });
}
