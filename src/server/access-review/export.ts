import type { AccessGrant } from '#contract/organizations/access-review.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { eachPage, type FirstRows } from '../base/paging.ts';
import { keyOfPerson } from '../base/tenant.ts';
import { spreadsheetCsv } from '../engine/formats/csv-rows.ts';
import type { Database, Reader } from '../storage/database.ts';
import { readGrants, type ReviewFilter } from './review.ts';

type Cell = (grant: AccessGrant) => string | null;

const columns: Readonly<Record<string, Cell>> = {
  reason: ({ reason }) => reason,
  grantee_kind: ({ grantee }) => grantee.kind,
  grantee_name: ({ grantee }) => grantee.name,
  grantee_email: ({ grantee }) => grantee.email ?? null,
  grantee_id: ({ grantee }) => grantee.id,
  object_kind: ({ object }) => object.kind,
  object_name: ({ object }) => object.name,
  object_id: ({ object }) => object.id,
  access: ({ access }) => access,
  group: ({ groupId }) => groupId ?? null,
  group_name: ({ groupName }) => groupName ?? null,
  token_name: ({ tokenName }) => tokenName ?? null,
  token_scopes: ({ scopes }) => scopes?.join(' ') ?? null,
  since: ({ since }) => since ?? null,
  granted_by: ({ grantedBy }) => grantedBy?.name ?? null,
  last_seen: ({ lastSeenAt }) => lastSeenAt ?? null,
  expires: ({ expiresAt }) => expiresAt ?? null,
};

/**
 * Returns the grants of an organization as lines of CSV, read page by page at the speed of the client, and records in the audit
 * log that they were exported. Requires permission to review access.
 */
export async function exportGrants(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
  scope: ReviewFilter & { readonly organizationId: string },
): Promise<AsyncGenerator<string>> {
  const reader = await database.findReader();
  // Read first, so that a bad request gets an error instead of an empty file.
  const first = await readGrants({ reader, clock }, actor, scope);
  const { organizationId, ...filter } = scope;
  await database.write((transaction) =>
    recordAudit(transaction, clock, {
      organizationId,
      action: 'access_review.exported',
      actor,
      details: { ...filter },
    }),
  );
  return writeLines({ reader, clock }, actor, scope, first);
}

async function* writeLines(
  dependencies: { readonly reader: Reader; readonly clock: Clock },
  actor: Actor,
  scope: ReviewFilter & { readonly organizationId: string },
  first: FirstRows<AccessGrant>,
): AsyncGenerator<string> {
  yield spreadsheetCsv.head(
    Object.keys(columns).map((name) => ({ name, type: 'text' as const, sourceType: 'text' })),
  );
  const cells = Object.values(columns);
  const read = async (last?: AccessGrant) =>
    last === undefined ? first : readGrants(dependencies, actor, scope, last.id);
  for await (const grants of eachPage(keyOfPerson(actor.userId), read))
    yield spreadsheetCsv.lines({
      rowCount: grants.length,
      columns: cells.map((cell) => grants.map((grant) => cell(grant))),
    });
}
