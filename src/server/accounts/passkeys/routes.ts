import type { FastifyReply } from 'fastify';
import * as contract from '#contract/accounts/passkeys.ts';
import type { SignedIn } from '#contract/accounts/sessions.ts';
import { afterResponse } from '../../http/response/after-response.ts';
import type { Serve } from '../../http/serve.ts';
import { passkeyCookieHeader, readPasskeyToken, readSecondStepToken } from '../../http/sign-in-cookie.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import { mailSecondFactorChange, type MailDependencies } from '../second-factor/mails.ts';
import { requestSecondStepPasskey } from '../second-factor/pending-sign-in.ts';
import { limitStarts } from '../sign-in-limits.ts';
import type { SignInDependencies } from '../sign-in.ts';
import { requestPasskey, type PasskeyRequest } from './assertions.ts';
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './passkeys.ts';
import { signInByPasskey } from './sign-in.ts';

/** Serves the passkeys of accounts, and the challenges that they sign. */
export function servePasskeys(
  serve: Serve,
  dependencies: SignInDependencies & MailDependencies & { readonly isSecure: boolean },
  sendSession: (reply: FastifyReply, session: NewSession) => SignedIn,
): void {
  const { isSecure, signInLimits } = dependencies;

  function sendOptions(reply: FastifyReply, { options, token }: PasskeyRequest): Record<string, unknown> {
    reply.header('set-cookie', passkeyCookieHeader(token, isSecure));
    return options;
  }

  serve(contract.startPasskey, async ({ actor, client }, reply) => {
    await limitStarts(signInLimits, client);
    return sendOptions(reply, await startPasskey(dependencies, actor));
  });

  serve(contract.addPasskey, async ({ actor, body }, reply) => {
    const challengeToken = readPasskeyToken(reply.request.headers.cookie, isSecure);
    const added = await addPasskey(dependencies, actor, { ...body, challengeToken });
    const { email, isFirst, passkey, recoveryCodes, endedSessions } = added;
    const change = isFirst ? 'first_passkey_added' : 'passkey_added';
    afterResponse(reply)(() => mailSecondFactorChange(dependencies, email, change));
    return { passkey, ...(recoveryCodes !== undefined && { recoveryCodes }), endedSessions };
  });

  serve(contract.renamePasskey, ({ actor, params, body }) =>
    renamePasskey(dependencies, actor, { id: params.passkeyId, name: body.name }),
  );

  serve(contract.removePasskey, async ({ actor, params }, reply) => {
    const email = await removePasskey(dependencies, actor, params.passkeyId);
    afterResponse(reply)(() => mailSecondFactorChange(dependencies, email, 'passkey_removed'));
    return undefined;
  });

  serve(contract.startSecondStepPasskey, async ({ client }, reply) => {
    await limitStarts(signInLimits, client);
    const pendingToken = readSecondStepToken(reply.request.headers.cookie, isSecure);
    return sendOptions(reply, await requestSecondStepPasskey(dependencies, pendingToken));
  });

  serve(contract.startPasskeySignIn, async ({ client }, reply) => {
    await limitStarts(signInLimits, client);
    const use = { purpose: 'sign_in', userId: undefined } as const;
    return sendOptions(reply, await requestPasskey(dependencies, use));
  });

  serve(contract.signInByPasskey, async ({ body: { assertion }, client }, reply) => {
    const challengeToken = readPasskeyToken(reply.request.headers.cookie, isSecure);
    const input = { assertion, challengeToken, client };
    return sendSession(reply, await signInByPasskey(dependencies, input, afterResponse(reply)));
  });

  serve(contract.startPasskeyConfirmation, async ({ actor, client }, reply) => {
    await limitStarts(signInLimits, client);
    // A session from a directory must not see which passkeys the account has.
    const namesPasskeys = actor.scope === 'all';
    const use = { purpose: 'confirm', userId: actor.userId, namesPasskeys } as const;
    return sendOptions(reply, await requestPasskey(dependencies, use));
  });
}
