import type { DataExportContents } from '#contract/organizations/data-export.ts';
import type { Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const organization = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('organizations')
    .select([
      'name',
      'time_zone as timeZone',
      'week_start as weekStart',
      'locale',
      'currency',
      'accent_color as accentColor',
      'chart_colors as chartColors',
      'require_sso as requireSso',
    ])
    .where('id', '=', p.organizationId),
);

export interface StoredOrganization {
  readonly name: string;
  readonly timeZone: string;
  readonly weekStart: string;
  readonly locale: string;
  readonly currency: string;
  readonly accentColor: string;
  /** As JSON. */
  readonly chartColors: string;
  readonly requireSso: number;
}

export const findOrganization = (
  reader: Reader,
  organizationId: string,
): Promise<StoredOrganization | undefined> => reader.first(organization, { organizationId });

const roles = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.email', 'members.role'])
    .where('members.organization_id', '=', p.organizationId)
    .where('users.is_service_account', '=', 0)
    .orderBy('users.email'),
);

/** Returns the roles of people by their addresses, without service accounts. */
export const selectRoles = (
  reader: Reader,
  organizationId: string,
): Promise<{ email: string; role: string }[]> => reader.all(roles, { organizationId });

const sources = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('data_sources')
    .select(['id', 'name', 'kind', 'connection'])
    .select((of) => of.case().when('password', 'is', null).then(0).else(1).end().as('hasPassword'))
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('id'),
);

export interface Source {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** As JSON, without the password. */
  readonly connection: string | null;
  readonly hasPassword: number;
}

/** Returns the data sources of an organization that are not in the trash. */
export const selectSources = (reader: Reader, organizationId: string): Promise<Source[]> =>
  reader.all(sources, { organizationId });

const models = prepare((db, p: { dataSourceId: string }) =>
  db
    .selectFrom('table_models')
    .select(['schema_name as schema', 'table_name as name', 'content'])
    .where('data_source_id', '=', p.dataSourceId)
    .where('content', '<>', '{}')
    .orderBy('schema_name')
    .orderBy('table_name'),
);

export const selectModels = (
  reader: Reader,
  dataSourceId: string,
): Promise<{ schema: string; name: string; content: string }[]> => reader.all(models, { dataSourceId });

const configurations = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('sso_configurations')
    .select([
      'id',
      'is_first as isFirst',
      'name',
      'provider',
      'client_id as clientId',
      'tenant_id as tenantId',
      'discovery_url as discoveryUrl',
      'discovery_url_derived as isDerived',
      'email_domains as emailDomains',
      'enabled',
    ])
    .select((of) => of.case().when('client_secret', 'is', null).then(0).else(1).end().as('hasSecret'))
    .where('organization_id', '=', p.organizationId)
    .orderBy('id'),
);

export interface Configuration {
  readonly id: string;
  readonly isFirst: number;
  /** Empty for the first one. */
  readonly name: string;
  readonly provider: string;
  readonly clientId: string;
  readonly tenantId: string | null;
  readonly discoveryUrl: string;
  readonly isDerived: number;
  /** As JSON. */
  readonly emailDomains: string;
  readonly enabled: number;
  readonly hasSecret: number;
}

/** Returns the configurations of the directories of an organization. */
export const selectConfigurations = (reader: Reader, organizationId: string): Promise<Configuration[]> =>
  reader.all(configurations, { organizationId });

const policies = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('sso_policies')
    .select([
      'configuration_id as configurationId',
      'default_role as defaultRole',
      'role_mappings as roleMappings',
      'secret_expires_at as secretExpiresAt',
      'revalidate_minutes as revalidateMinutes',
    ])
    .where('organization_id', '=', p.organizationId),
);

export interface Policy {
  /** Empty for the first configuration. */
  readonly configurationId: string;
  readonly defaultRole: string;
  /** As JSON. */
  readonly roleMappings: string;
  readonly secretExpiresAt: string | null;
  readonly revalidateMinutes: number;
}

/** Returns the policies of the configurations that somebody has changed. */
export const selectPolicies = (reader: Reader, organizationId: string): Promise<Policy[]> =>
  reader.all(policies, { organizationId });

const keptTables = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('source_tables')
    .innerJoin('data_sources', 'data_sources.id', 'source_tables.data_source_id')
    .select([
      'source_tables.data_source_id as dataSourceId',
      'source_tables.name',
      'source_tables.file',
      'source_tables.size_bytes as sizeBytes',
      'source_tables.sha256',
    ])
    .where('data_sources.organization_id', '=', p.organizationId)
    .orderBy('source_tables.data_source_id')
    .orderBy('source_tables.name'),
);

const deletedTables = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('deleted_tables')
    .innerJoin('data_sources', 'data_sources.id', 'deleted_tables.data_source_id')
    .select([
      'deleted_tables.data_source_id as dataSourceId',
      'deleted_tables.name',
      'deleted_tables.file',
      'deleted_tables.size_bytes as sizeBytes',
      'deleted_tables.sha256',
    ])
    .where('data_sources.organization_id', '=', p.organizationId)
    .orderBy('deleted_tables.id'),
);

export interface TableFile {
  readonly dataSourceId: string;
  readonly name: string;
  readonly file: string;
  readonly sizeBytes: number | string;
  readonly sha256: string | null;
}

/** Return the uploaded tables of an organization with their files, and those that are in the trash. */
export const selectTables = (reader: Reader, organizationId: string): Promise<TableFile[]> =>
  reader.all(keptTables, { organizationId });
export const selectDeletedTables = (reader: Reader, organizationId: string): Promise<TableFile[]> =>
  reader.all(deletedTables, { organizationId });

const imageContent = prepare((db, p: { organizationId: string; hash: string }) =>
  db
    .selectFrom('images')
    .select('content')
    .where('organization_id', '=', p.organizationId)
    .where('hash', '=', p.hash),
);

/** Returns an uploaded image in Base64, or undefined. */
export const findImageContent = async (
  reader: Reader,
  key: { readonly organizationId: string; readonly hash: string },
): Promise<string | undefined> => (await reader.first(imageContent, key))?.content;

const logo = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('organization_logos')
    .select(['type', 'content'])
    .where('organization_id', '=', p.organizationId),
);

/** Returns the logo of an organization in Base64, or undefined. */
export const findLogo = (
  reader: Reader,
  organizationId: string,
): Promise<{ type: string; content: string } | undefined> => reader.first(logo, { organizationId });

const contents = prepare((db, p: { organizationId: string; zero: number }) => {
  const count = (table: 'dashboards' | 'reports' | 'audit_entries' | 'access_entries') =>
    db
      .selectFrom(table)
      .select((of) => of.fn.countAll<number | string>().as('count'))
      .where('organization_id', '=', p.organizationId);
  const tables = db
    .selectFrom('source_tables')
    .select(['data_source_id', 'size_bytes'])
    .unionAll(db.selectFrom('deleted_tables').select(['data_source_id', 'size_bytes']))
    .as('tables');
  const ofTables = db
    .selectFrom(tables)
    .innerJoin('data_sources', 'data_sources.id', 'tables.data_source_id')
    .where('data_sources.organization_id', '=', p.organizationId);
  return db
    .selectFrom('organizations')
    .select([
      count('dashboards').as('dashboards'),
      count('reports').as('reports'),
      count('audit_entries').as('auditEntries'),
      count('access_entries').as('accessEntries'),
      ofTables.select((of) => of.fn.countAll<number | string>().as('count')).as('tables'),
      ofTables
        .select((of) =>
          of.fn.coalesce(of.fn.sum<number | string>('tables.size_bytes'), of.val(p.zero)).as('sum'),
        )
        .as('tableBytes'),
    ])
    .where('id', '=', p.organizationId);
});

/** Returns how much an organization has. */
export async function countContents(reader: Reader, organizationId: string): Promise<DataExportContents> {
  const found = await reader.first(contents, { organizationId, zero: 0 });
  return {
    dashboards: Number(found?.dashboards),
    reports: Number(found?.reports),
    tables: Number(found?.tables),
    tableBytes: Number(found?.tableBytes),
    logEntries: Number(found?.auditEntries) + Number(found?.accessEntries),
  };
}
