import { exportEveryDashboard } from '../../dashboards/documents/export.ts';
import type { Reader } from '../../storage/database.ts';
import type { Archive } from '../archive/archive.ts';
import {
  findOrganization,
  selectConfigurations,
  selectModels,
  selectPolicies,
  selectRoles,
  selectSources,
  type Configuration,
  type Policy,
  type Source,
} from './queries.ts';

const folder = 'as-code';
const ending = 'json';
/** Where the command line finds a secret when it pushes the files. */
const secretPrefix = 'ATRIUM_CODE_SECRET_';

/** Adds the files that `atrium push` creates in another organization: the format of decision 062, with references to secrets. */
export async function addCode(archive: Archive, reader: Reader, organizationId: string): Promise<void> {
  await archive.addJson({ folder, name: 'organization', ending }, await settings(reader, organizationId));
  await archive.addJson(
    { folder, name: 'members', ending },
    { format: 'atrium.members/1', members: await selectRoles(reader, organizationId) },
  );
  // Single sign-on comes first, so that no data source gets the variable of its secret.
  const taken = new Set<string>();
  await addSignOn(archive, reader, organizationId, taken);
  for (const source of await selectSources(reader, organizationId)) {
    const { name, kind } = source;
    await archive.addJson({ folder, name, ending: 'source.json' }, sourceDocument(source, taken));
    const models = await selectModels(reader, source.id);
    if (models.length > 0)
      await archive.addJson(
        { folder, name, ending: 'models.json' },
        {
          format: 'atrium.models/1',
          dataSource: { name, kind },
          models: models.map(({ content, ...table }) => ({ ...table, ...parseObject(content) })),
        },
      );
  }
  for await (const document of exportEveryDashboard(reader, organizationId, { everyReport: true })) {
    const isReport = document.format.startsWith('atrium.report');
    await archive.addJson(
      { folder, name: document.name, ending: isReport ? 'report.json' : 'dashboard.json' },
      document,
    );
  }
}

async function settings(reader: Reader, organizationId: string): Promise<object> {
  const found = await findOrganization(reader, organizationId);
  if (found === undefined) return {};
  const { timeZone, weekStart, locale, currency, accentColor, chartColors } = found;
  return {
    format: 'atrium.organization/1',
    timeZone,
    weekStart,
    locale,
    currency,
    accentColor,
    chartColors: JSON.parse(chartColors) as unknown,
  };
}

/** Adds the first directory with the sign-in policy, and each further directory. */
async function addSignOn(
  archive: Archive,
  reader: Reader,
  organizationId: string,
  taken: Set<string>,
): Promise<void> {
  const organization = await findOrganization(reader, organizationId);
  const configurations = await selectConfigurations(reader, organizationId);
  const policies = await selectPolicies(reader, organizationId);
  const policyOf = (id: string) =>
    policyDocument(policies.find(({ configurationId }) => configurationId === id));
  const first = configurations.find(({ isFirst }) => isFirst === 1);
  const configuration = first && configurationDocument(first, variableFor('SSO', '', taken));
  await archive.addJson(
    { folder, name: 'sso', ending },
    {
      format: 'atrium.sso/1',
      ...(configuration && { configuration }),
      policy: { requireSso: organization?.requireSso === 1, ...policyOf('') },
    },
  );
  for (const further of configurations.filter(({ isFirst }) => isFirst === 0)) {
    const { id, name } = further;
    await archive.addJson(
      { folder, name, ending: 'sso.json' },
      {
        format: 'atrium.sso-directory/1',
        name,
        configuration: configurationDocument(further, variableFor('SSO', name, taken)),
        policy: policyOf(id),
      },
    );
  }
}

function configurationDocument(found: Configuration, environment: string): object {
  const hasOwnUrl =
    found.isDerived === 0 &&
    (found.discoveryUrl !== '' || found.provider === 'entra' || found.provider === 'idp_ad');
  return {
    provider: found.provider,
    clientId: found.clientId,
    emailDomains: JSON.parse(found.emailDomains) as unknown,
    enabled: found.enabled === 1,
    ...(found.tenantId !== null && { tenantId: found.tenantId }),
    ...(hasOwnUrl && { discoveryUrl: found.discoveryUrl }),
    ...(found.hasSecret === 1 && { clientSecret: { environment } }),
  };
}

const policyDocument = (stored: Policy | undefined): object => ({
  defaultRole: stored?.defaultRole ?? 'viewer',
  roleMappings: JSON.parse(stored?.roleMappings ?? '[]') as unknown,
  ...(stored !== undefined && { revalidateMinutes: stored.revalidateMinutes }),
  ...(stored !== undefined && stored.secretExpiresAt !== null && { secretExpiresAt: stored.secretExpiresAt }),
});

function sourceDocument({ name, kind, connection, hasPassword }: Source, taken: Set<string>): object {
  const document = { format: 'atrium.data-source/1', name, kind };
  if (connection === null) return document;
  const password = hasPassword === 1 && { password: { environment: variableFor('SOURCE', name, taken) } };
  return { ...document, connection: { ...parseObject(connection), ...password } };
}

/** Returns the variable of a secret, which no other secret of the archive has. */
function variableFor(kind: 'SOURCE' | 'SSO', name: string, taken: Set<string>): string {
  const word = name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .slice(0, 60)
    .replaceAll(/^_|_$/g, '');
  const parts = kind === 'SSO' ? [kind, word] : [word === '' ? kind : word];
  const start = secretPrefix + parts.filter((part) => part !== '').join('_');
  let variable = start;
  for (let number = 2; taken.has(variable); number += 1) variable = `${start}_${number}`;
  taken.add(variable);
  return variable;
}

// Sound because the stores write objects.
const parseObject = (text: string): object => JSON.parse(text) as object;
