import * as contract from '#contract/organizations/access-log.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import { accessKey, listAccessEntries } from '../../access-log/entries.ts';
import { findRetentionDays, updateRetentionDays } from '../../access-log/retention.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Clock } from '../../base/clock.ts';
import { pageRequest } from '../../base/paging.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { requirePermission, requirePermissionToChange } from '../authorization.ts';

/** Serves the data-access log of an organization to its owners and admins, and how long it is kept. */
export function serveAccessLog(
  serve: Serve,
  {
    database,
    clock,
    accessLog,
  }: { readonly database: Database; readonly clock: Clock; readonly accessLog: AccessLog },
): void {
  serve(contract.listAccess, async ({ actor, params, query }) => {
    await requirePermission(database, actor, params.orgId, 'audit.view');
    // What this process has counted is not missing.
    await accessLog.flush();
    return listAccessEntries(await database.findReader(), params.orgId, query, pageRequest(query, accessKey));
  });

  serve(contract.getAccessRetention, async ({ actor, params }) => {
    await requirePermission(database, actor, params.orgId, 'audit.view');
    return { days: await findRetentionDays(database, params.orgId) };
  });

  serve(contract.putAccessRetention, ({ actor, params: { orgId: organizationId }, body: { days } }) =>
    database.write(async (transaction) => {
      await requirePermissionToChange(transaction, actor, organizationId, 'access_log.retain');
      const details = { before: await findRetentionDays(transaction, organizationId), after: days };
      await updateRetentionDays(transaction, organizationId, days);
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'access_log.retention_changed',
        actor,
        details,
      });
      return { days };
    }),
  );
}
