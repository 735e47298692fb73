import type { LogoType } from '#shared/branding/logo.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { exceptDeleted } from '../../organizations/deleted.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface LogoRow {
  readonly organizationId: string;
  readonly id: string;
  readonly type: LogoType;
  /** In Base64. */
  readonly content: string;
  readonly at: string;
}

const replace = prepare((sql, p: LogoRow) =>
  sql
    .insertInto('organization_logos')
    .values({
      organization_id: p.organizationId,
      id: p.id,
      type: p.type,
      content: p.content,
      uploaded_at: p.at,
    })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet({ id: p.id, type: p.type, content: p.content, uploaded_at: p.at }),
    ),
);

/** Stores the logo of an organization in place of the one that it had. */
export const replaceLogo = (transaction: Transaction, logo: LogoRow): Promise<number> =>
  transaction.run(replace, logo);

const remove = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('organization_logos').where('organization_id', '=', p.organizationId),
);

/** Deletes the logo of an organization. Returns how many it had. */
export const deleteLogo = (transaction: Transaction, organizationId: string): Promise<number> =>
  transaction.run(remove, { organizationId });

const byId = prepare((sql, p: { id: string }) =>
  sql
    .selectFrom('organization_logos')
    .select(['type', 'content'])
    .where('id', '=', p.id)
    .where(exceptDeleted('organization_id')),
);

type LogoContent = Pick<LogoRow, 'type' | 'content'>;

/** Returns a logo by its id, or undefined. */
export const findLogo = (reader: Reader, id: string): Promise<LogoContent | undefined> =>
  reader.first(byId, { id });

const ofOrganization = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('organization_logos')
    .select(['type', 'content'])
    .where('organization_id', '=', p.organizationId),
);

/** Returns the logo of an organization, or undefined. */
export const findOrganizationLogo = (
  reader: Reader,
  organizationId: string,
): Promise<LogoContent | undefined> => reader.first(ofOrganization, { organizationId });
