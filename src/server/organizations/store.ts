import type { Organization, Role } from '#contract/organizations/organizations.ts';
import type { Branding } from '#shared/branding/branding.ts';
import type { OrganizationLocale } from '#shared/region/locales.ts';
import type { Region } from '#shared/region/region.ts';
import type { WeekStart } from '#shared/query-builder/structure.ts';
import { parseJson } from '../base/texts/json.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** Sound because `members.role`, `organizations.week_start` and `organizations.locale` only ever hold values of the contract. */
const toOrganization = ({
  logoId,
  ...row
}: {
  id: string;
  name: string;
  timeZone: string;
  weekStart: string;
  locale: string;
  currency: string;
  accentColor: string;
  chartColors: string;
  logoId: string | null;
  createdAt: string;
  updatedAt: string;
  role: string;
}): Organization => ({
  ...row,
  weekStart: row.weekStart as WeekStart,
  locale: row.locale as OrganizationLocale,
  chartColors: parseJson(row.chartColors) as string[],
  ...(logoId !== null && { logoId }),
  role: row.role as Role,
});

interface OrganizationRow {
  id: string;
  name: string;
  timeZone: string;
  weekStart: WeekStart;
  locale: string;
  currency: string;
  accentColor: string;
  chartColors: readonly string[];
  at: string;
}

type BoundRow = Omit<OrganizationRow, 'chartColors'> & { chartColors: string };

const bound = (row: OrganizationRow): BoundRow => ({ ...row, chartColors: JSON.stringify(row.chartColors) });

const insert = prepare((sql, p: BoundRow) =>
  sql.insertInto('organizations').values({
    id: p.id,
    name: p.name,
    require_sso: 0,
    time_zone: p.timeZone,
    week_start: p.weekStart,
    locale: p.locale,
    currency: p.currency,
    accent_color: p.accentColor,
    chart_colors: p.chartColors,
    created_at: p.at,
    updated_at: p.at,
  }),
);

export const insertOrganization = (transaction: Transaction, input: OrganizationRow): Promise<number> =>
  transaction.run(insert, bound(input));

const update = prepare((sql, p: BoundRow) =>
  sql
    .updateTable('organizations')
    .set({
      name: p.name,
      time_zone: p.timeZone,
      week_start: p.weekStart,
      locale: p.locale,
      currency: p.currency,
      accent_color: p.accentColor,
      chart_colors: p.chartColors,
      updated_at: p.at,
    })
    .where('id', '=', p.id),
);

export const updateOrganization = (transaction: Transaction, input: OrganizationRow): Promise<number> =>
  transaction.run(update, bound(input));

const firstTwo = prepare((sql) => sql.selectFrom('organizations').select('id').limit(2));

export const hasSeveralOrganizations = async (reader: Reader): Promise<boolean> =>
  (await reader.all(firstTwo, {})).length > 1;

const owned = [
  prepare((sql, p: { userId: string }) =>
    sql
      .selectFrom('members')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('user_id', '=', p.userId)
      .where('role', '=', 'owner'),
  ),
  prepare((sql, p: { userId: string }) =>
    sql
      .selectFrom('deleted_members')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('user_id', '=', p.userId)
      .where('role', '=', 'owner'),
  ),
];

/** Returns how many organizations a person owns, with those in the trash. */
export async function countOwned(reader: Reader, userId: string): Promise<number> {
  let total = 0;
  for (const query of owned) total += Number((await reader.first(query, { userId }))?.count ?? 0);
  return total;
}

const lock = prepare((sql, p: { id: string }) =>
  sql.selectFrom('organizations').select('id').where('id', '=', p.id).forNoKeyUpdate(),
);

/** Makes other transactions that lock this organization wait for this one. */
export const lockOrganizationRow = (transaction: Transaction, id: string): Promise<unknown> =>
  transaction.first(lock, { id });

const columns = [
  'organizations.id',
  'organizations.name',
  'organizations.time_zone as timeZone',
  'organizations.week_start as weekStart',
  'organizations.locale',
  'organizations.currency',
  'organizations.accent_color as accentColor',
  'organizations.chart_colors as chartColors',
  'organization_logos.id as logoId',
  'organizations.created_at as createdAt',
  'organizations.updated_at as updatedAt',
  'members.role',
] as const;

const ofMember = prepare((sql, p: { id: string; userId: string }) =>
  sql
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .leftJoin('organization_logos', 'organization_logos.organization_id', 'organizations.id')
    .select(columns)
    .where('organizations.id', '=', p.id)
    .where('members.user_id', '=', p.userId),
);

/** Returns the organization with the role of a member, or undefined if the user is not a member. */
export async function findOrganization(
  reader: Reader,
  id: string,
  userId: string,
): Promise<Organization | undefined> {
  const row = await reader.first(ofMember, { id, userId });
  return row && toOrganization(row);
}

const listOfUser = prepare((sql, p: { userId: string; after: string; limit: number }) =>
  sql
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .leftJoin('organization_logos', 'organization_logos.organization_id', 'organizations.id')
    .select(columns)
    .where('members.user_id', '=', p.userId)
    .where('organizations.require_sso', '=', 0)
    .where('members.organization_id', '>', p.after)
    .orderBy('members.organization_id')
    .limit(p.limit),
);

/** Returns the first rows of a page, by id, of those that do not require SSO. */
export async function selectOrganizations(
  reader: Reader,
  userId: string,
  page: PageRequest,
): Promise<FirstRows<Organization>> {
  return mapRows(
    await reader.page(listOfUser, { userId, after: page.after ?? '', limit: page.limit }),
    toOrganization,
  );
}

const setRequireSso = prepare((sql, p: { id: string; requireSso: number }) =>
  sql.updateTable('organizations').set({ require_sso: p.requireSso }).where('id', '=', p.id),
);

export const updateRequireSso = (
  transaction: Transaction,
  id: string,
  requireSso: boolean,
): Promise<number> => {
  transaction.announce(id);
  return transaction.run(setRequireSso, { id, requireSso: requireSso ? 1 : 0 });
};

const byIdOrName = prepare((sql, p: { text: string }) =>
  sql
    .selectFrom('organizations')
    .select('id')
    .where((where) => where.or([where('id', '=', p.text), where('name', '=', p.text)]))
    .orderBy('id'),
);

/** Returns the id if an organization has it, and otherwise the ids of all organizations with this name. */
export async function selectOrganizationsNamed(reader: Reader, text: string): Promise<string[]> {
  const ids = (await reader.all(byIdOrName, { text })).map(({ id }) => id);
  // Anyone can name their organization like the ID of another one.
  return ids.includes(text) ? [text] : ids;
}

const calendar = prepare((sql, p: { id: string }) =>
  sql
    .selectFrom('organizations')
    .select(['time_zone as timeZone', 'week_start as weekStart'])
    .where('id', '=', p.id),
);

/** Returns the time zone and the week start of an organization, or undefined if it does not exist. */
export const findTimes = async (
  reader: Reader,
  id: string,
): Promise<Pick<Organization, 'timeZone' | 'weekStart'> | undefined> => {
  const row = await reader.first(calendar, { id });
  return row && { timeZone: row.timeZone, weekStart: row.weekStart as WeekStart };
};

const requiresSso = prepare((sql, p: { id: string }) =>
  sql.selectFrom('organizations').select('require_sso as requireSso').where('id', '=', p.id),
);

/** Returns whether an organization requires SSO, or undefined if it does not exist. */
export async function findRequireSso(reader: Reader, id: string): Promise<boolean | undefined> {
  const row = await reader.first(requiresSso, { id });
  return row && row.requireSso === 1;
}

const appearance = prepare((sql, p: { id: string }) =>
  sql
    .selectFrom('organizations')
    .select(['locale', 'currency', 'accent_color as accentColor', 'chart_colors as chartColors'])
    .where('id', '=', p.id),
);

/** Returns how an organization writes values, and its colors, or undefined if it does not exist. */
export const findAppearance = async (
  reader: Reader,
  id: string,
): Promise<{ region: Region; branding: Branding } | undefined> => {
  const row = await reader.first(appearance, { id });
  return (
    row && {
      region: { locale: row.locale as OrganizationLocale, currency: row.currency },
      branding: { accentColor: row.accentColor, chartColors: parseJson(row.chartColors) as string[] },
    }
  );
};

const confirmedSsoChanges = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('session_policies')
    .select('confirm_sso_changes as isRequired')
    .where('organization_id', '=', p.organizationId),
);

export const requiresConfirmedSsoChanges = async (reader: Reader, organizationId: string): Promise<boolean> =>
  (await reader.first(confirmedSsoChanges, { organizationId }))?.isRequired === 1;
