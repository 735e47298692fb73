import * as contract from '#contract/organizations/data-export.ts';
import { requireOwnPage } from '../../http/request/origin-check.ts';
import { clientSignal } from '../../http/request/client-signal.ts';
import { afterResponse } from '../../http/response/after-response.ts';
import { attachment } from '../../http/response/attachment.ts';
import type { Serve } from '../../http/serve.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { DataExportDependencies } from './export.ts';

/** Serves exports of everything of an organization to its owners. The code is loaded at its first use. */
export function serveOrganizationExport(
  serve: Serve,
  dependencies: DataExportDependencies & { readonly mailer: Mailer },
): void {
  serve(contract.getDataExportContents, async ({ actor, params, query }, reply) => {
    const organizationId = params.orgId;
    const { describeExport, requireReady } = await import('./export.ts');
    if (query.for === 'download')
      await requireReady(dependencies, actor, { organizationId, signal: clientSignal(reply) });
    return describeExport(dependencies, actor, organizationId);
  });

  serve(contract.exportOrganizationData, async ({ actor, params }, reply) => {
    requireOwnPage(reply.request.headers);
    const organizationId = params.orgId;
    const signal = clientSignal(reply);
    const { exportOrganization } = await import('./export.ts');
    const { name, archive } = await exportOrganization(dependencies, actor, { organizationId, signal });
    afterResponse(reply)(async () => {
      const { mailOwners } = await import('./mails.ts');
      await mailOwners(dependencies, actor, { organizationId, name });
    });
    reply.type('application/zip').header('content-disposition', attachment(name, 'zip'));
    return archive;
  });
}
