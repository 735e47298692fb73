import { exportAccount as exportAccountRoute } from '#contract/accounts/export.ts';
import type { Clock } from '../base/clock.ts';
import { requireOwnPage } from '../http/request/origin-check.ts';
import { clientSignal } from '../http/request/client-signal.ts';
import { attachment } from '../http/response/attachment.ts';
import type { Serve } from '../http/serve.ts';
import type { Database } from '../storage/database.ts';
import type { AccountExportDependencies } from './export.ts';

/** Serves the data of an account as an archive. The code is loaded at its first use. */
export function serveAccountExport(
  serve: Serve,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  let dependencies: AccountExportDependencies | undefined;
  serve(exportAccountRoute, async ({ actor }, reply) => {
    requireOwnPage(reply.request.headers);
    const { accountExportDependencies, exportAccount } = await import('./export.ts');
    dependencies ??= accountExportDependencies(database, clock);
    const archive = await exportAccount(dependencies, actor, clientSignal(reply));
    reply.type('application/zip').header('content-disposition', attachment('atrium-account', 'zip'));
    return archive;
  });
}
