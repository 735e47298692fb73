import { Type, type Static, type TObject } from 'typebox';
import { dashboardFormat, DocumentId, reportFormat } from '#contract/records/documents.ts';
import { connections, dataSourceKinds } from '#contract/data-sources/kinds.ts';
import { TableModel } from '#contract/models.ts';
import { Organization, Role } from '#contract/organizations/organizations.ts';
import { SsoConfigurationInput } from '#contract/sso/configuration.ts';
import { ConnectionPolicy, SsoConnectionInput } from '#contract/sso/connections.ts';
import { SsoPolicy } from '#contract/sso/policy.ts';
import { DisplayName, Email } from '#contract/values.ts';

export const sourceFormat = 'atrium.data-source/1';
export const membersFormat = 'atrium.members/1';
export const ssoFormat = 'atrium.sso/1';
export const directoryFormat = 'atrium.sso-directory/1';
export const modelsFormat = 'atrium.models/1';
export const organizationFormat = 'atrium.organization/1';

export const secretPrefix = 'ATRIUM_CODE_SECRET_';

const closed = { additionalProperties: false } as const;

/**
 * The place of a secret in a file: the name of the environment variable that has it when the file is pushed. Only variables with this
 * beginning can be named: a change of a file could otherwise send every other secret of a pipeline to a host that it names, too.
 */
export const SecretReference = Type.Object(
  {
    environment: Type.String({
      pattern: `^${secretPrefix}[A-Z0-9_]{1,100}$`,
      'x-expected': `the name of an environment variable that starts with ${secretPrefix}`,
    }),
  },
  closed,
);
export type SecretReference = Static<typeof SecretReference>;

/** A connection as clients send it, with a reference instead of its password. */
const withReference = ({ properties }: TObject): TObject =>
  Type.Object(
    { ...properties, ...('password' in properties && { password: Type.Optional(SecretReference) }) },
    closed,
  );

/** A data source, which is identified by its kind and its name. */
export const SourceDocument = Type.Unsafe<SourceDocument>(
  Type.Union(
    dataSourceKinds.map((kind) => {
      const connection = connections[kind]?.input;
      return Type.Object(
        {
          format: Type.Literal(sourceFormat),
          name: DisplayName,
          kind: Type.Literal(kind),
          ...(connection !== undefined && { connection: withReference(connection) }),
        },
        closed,
      );
    }),
  ),
);
export interface SourceDocument {
  readonly format: typeof sourceFormat;
  readonly name: string;
  readonly kind: (typeof dataSourceKinds)[number];
  readonly connection?: Readonly<Record<string, unknown>> & { readonly password?: SecretReference };
}

/** The roles of the people in an organization, by their email addresses. */
export const MembersDocument = Type.Object(
  {
    format: Type.Literal(membersFormat),
    members: Type.Array(Type.Object({ email: Email, role: Role }, closed)),
  },
  closed,
);
export type MembersDocument = Static<typeof MembersDocument>;

/** Single sign-on: the configuration of the first directory, if there is one, and the sign-in policy. */
export const SsoDocument = Type.Object(
  {
    format: Type.Literal(ssoFormat),
    configuration: Type.Optional(
      Type.Object(
        { ...SsoConfigurationInput.properties, clientSecret: Type.Optional(SecretReference) },
        closed,
      ),
    ),
    policy: Type.Object(SsoPolicy.properties, closed),
  },
  closed,
);
export type SsoDocument = Static<typeof SsoDocument>;

/** A directory besides the first one, which is identified by its name. */
export const DirectoryDocument = Type.Object(
  {
    format: Type.Literal(directoryFormat),
    name: SsoConnectionInput.properties.name,
    configuration: Type.Object(
      {
        ...Type.Omit(SsoConnectionInput, ['name']).properties,
        clientSecret: Type.Optional(SecretReference),
      },
      closed,
    ),
    policy: Type.Object(ConnectionPolicy.properties, closed),
  },
  closed,
);
export type DirectoryDocument = Static<typeof DirectoryDocument>;

/** The descriptions of the tables of a data source. */
export const ModelsDocument = Type.Object(
  {
    format: Type.Literal(modelsFormat),
    dataSource: Type.Object({ name: DisplayName, kind: Type.Enum([...dataSourceKinds]) }, closed),
    models: Type.Array(Type.Object(TableModel.properties, closed)),
  },
  closed,
);
export type ModelsDocument = Static<typeof ModelsDocument>;

const { timeZone, weekStart, locale, currency, accentColor, chartColors } = Organization.properties;

/** What an organization sets for everybody in it. */
export const OrganizationDocument = Type.Object(
  {
    format: Type.Literal(organizationFormat),
    timeZone,
    weekStart,
    locale,
    currency,
    accentColor,
    chartColors,
  },
  closed,
);
export type OrganizationDocument = Static<typeof OrganizationDocument>;

/** A dashboard or a report. The server checks the rest, since it may be newer than this program. */
export const RecordDocument = Type.Unsafe<RecordDocument>(
  Type.Object(
    {
      format: Type.Enum([dashboardFormat, reportFormat]),
      id: DocumentId,
      name: Type.String({ minLength: 1 }),
    },
    { additionalProperties: true },
  ),
);
export interface RecordDocument {
  readonly format: typeof dashboardFormat | typeof reportFormat;
  readonly id: string;
  readonly name: string;
  readonly restricted?: boolean;
  /** Of a report. */
  readonly dataSource?: { readonly name: string; readonly kind: string };
}

export type CodeDocument =
  | RecordDocument
  | SourceDocument
  | ModelsDocument
  | MembersDocument
  | SsoDocument
  | DirectoryDocument
  | OrganizationDocument;
export type Format = CodeDocument['format'];

/** The schema of each format. */
export const formats = {
  [dashboardFormat]: RecordDocument,
  [reportFormat]: RecordDocument,
  [sourceFormat]: SourceDocument,
  [modelsFormat]: ModelsDocument,
  [membersFormat]: MembersDocument,
  [ssoFormat]: SsoDocument,
  [directoryFormat]: DirectoryDocument,
  [organizationFormat]: OrganizationDocument,
} as const satisfies Readonly<Record<Format, unknown>>;
