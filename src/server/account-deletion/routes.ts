import * as contract from '#contract/accounts/deletion.ts';
import { afterResponse } from '../http/response/after-response.ts';
import type { Serve } from '../http/serve.ts';
import { endedSessionCookieHeader } from '../http/session-cookie.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { DeletionDependencies } from './deletion.ts';

/** Serves the deletion of accounts by their people. What it needs is loaded at its first use. */
export function serveAccountDeletion(
  serve: Serve,
  dependencies: DeletionDependencies & {
    readonly mailer: Mailer;
    readonly publicUrl: string;
    /** Whether cookies are only sent over https. */
    readonly isSecure: boolean;
  },
): void {
  serve(contract.previewAccountDeletion, async ({ actor }) => {
    const { previewDeletion } = await import('./deletion.ts');
    return previewDeletion(dependencies.database, actor);
  });

  serve(contract.deleteAccount, async ({ actor, body }, reply) => {
    const choices = body.organizations.map(({ organizationId, handOverTo }) => ({
      organizationId,
      to: handOverTo ?? undefined,
    }));
    const [{ deleteOwnAccount }, { mailDeletion }] = await Promise.all([
      import('./deletion.ts'),
      import('./mails.ts'),
    ]);
    const deleted = await deleteOwnAccount(dependencies, actor, { email: body.email, choices });
    afterResponse(reply)(() => mailDeletion(dependencies, deleted));
    reply.header('set-cookie', endedSessionCookieHeader(dependencies.isSecure));
    return undefined;
  });
}
