import { suspendedTokens } from '../../storage/migrations/068-suspended-tokens.ts';
import { migrations } from '../../storage/migrations/migrations.ts';
import { tableNames, type TableName } from '../../storage/tables/belonging.ts';
import { credentials } from '../../storage/tables/credentials.ts';

/** The first version of the schema in which tokens can be suspended. */
const versionWithSuspension = migrations.indexOf(suspendedTokens) + 1;

/**
 * Returns the statements that end and suspend the credentials of a restored database: what was revoked after the backup must not work
 * again. `tables` are those that it has; its schema has `schemaVersion`; in an older one, tokens can only be deleted.
 */
export function endCredentials(
  tables: ReadonlySet<string>,
  { schemaVersion, now }: { readonly schemaVersion: number; readonly now: string },
): string[] {
  const isThere = (table: TableName) => tables.has(table);
  const mayBeSuspended = schemaVersion >= versionWithSuspension;
  const suspended: Partial<Record<TableName, string>> = {
    tokens: mayBeSuspended ? `update tokens set suspended_at = '${now}'` : 'delete from tokens',
    webhooks: 'update webhooks set enabled = 0',
  };
  // In the order in which children come before their parents.
  return tableNames.filter(isThere).flatMap((table) => {
    const action = credentials[table];
    if (action === 'end') return [`delete from ${table}`];
    if (action === 'suspend') return [suspended[table] ?? `delete from ${table}`];
    return table === 'refresh_tokens' && !mayBeSuspended ? [`delete from ${table}`] : [];
  });
}
