import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** Whether an organization, by a column with its ID, has not been deleted. */
export const exceptDeleted = (column: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from deleted_organizations as deleted where deleted.organization_id = ${sql.ref(column)})`;

const deleted = prepare((db, p: { organizationId: string }) =>
  db.selectFrom('deleted_organizations').select('ends_at').where('organization_id', '=', p.organizationId),
);

/** Throws `not_found` if an organization was deleted. */
export async function requireNotDeleted(reader: Reader, organizationId: string): Promise<void> {
  if ((await reader.first(deleted, { organizationId })) !== undefined) throw notFound();
}
