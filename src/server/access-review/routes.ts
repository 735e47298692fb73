import { Readable } from 'node:stream';
import * as contract from '#contract/organizations/access-review.ts';
import type { Clock } from '../base/clock.ts';
import { pageRequest } from '../base/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { Database } from '../storage/database.ts';
import { exportGrants } from './export.ts';
import { grantKey, listGrants } from './review.ts';

/** Serves reviews of access to the owners and admins of an organization: in pages, and as CSV. */
export function serveAccessReview(
  serve: Serve,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  serve(contract.listAccessGrants, async ({ actor, params, query }) => {
    const { userId, objectKind, objectId } = query;
    const scope = { organizationId: params.orgId, userId, objectKind, objectId };
    const reader = await database.findReader();
    return listGrants({ reader, clock }, actor, scope, pageRequest(query, grantKey));
  });

  serve(contract.exportAccessGrants, async ({ actor, params, query }, reply) => {
    const scope = { organizationId: params.orgId, ...query };
    const lines = await exportGrants({ database, clock }, actor, scope);
    reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="access-review.csv"');
    return Readable.from(lines, { objectMode: false });
  });
}
