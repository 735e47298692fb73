import { resolve } from 'node:path';
import { logLevels, type LogLevel } from '#contract/operation.ts';
import { normalizeEmail } from '../base/texts/email-address.ts';
import { dataDirectoryOf } from '../base/program.js';
import {
  toAddressPorts,
  toBearerToken,
  toBucketUrl,
  toBoolean,
  toDatabaseUrl,
  toIds,
  toNetworks,
  toOneOf,
  toOrigin,
  toOwnedPrivateHosts,
  toPort,
  toPrivateHosts,
  toSecretKeys,
  toUrlOf,
  toWhole,
  type HostPort,
  type PrivateHost,
} from './values.ts';

/** How a setting is read from its environment variable. */
export interface Setting<Value> {
  readonly variable: string;
  /** The value if the variable is absent or empty. */
  readonly fallback: Value;
  /** Returns undefined if the text, which is trimmed and not empty, is not `expected`. */
  readonly parse: (text: string) => Value | undefined;
  /** Completes the sentence "VARIABLE must be …". */
  readonly expected: string;
  /** Only whether a secret is set is ever displayed. A URL that contains a password is a secret as a whole. */
  readonly isSecret: boolean;
}

type Definition<Value> = Omit<Setting<Value>, 'variable' | 'isSecret'>;

const plain = <Value>(variable: string, definition: Definition<Value>): Setting<Value> => ({
  variable,
  isSecret: false,
  ...definition,
});

const secret = <Value>(variable: string, definition: Definition<Value>): Setting<Value> => ({
  variable,
  isSecret: true,
  ...definition,
});

/** `unit` is such as `number of seconds`. */
const whole = (
  variable: string,
  fallback: number,
  [least, most]: readonly [number, number],
  unit = 'number',
): Setting<number> =>
  plain(variable, {
    fallback,
    parse: (text) => toWhole(text, least, most),
    expected: `a whole ${unit} from ${least} to ${most}`,
  });

const privateHosts: Definition<readonly PrivateHost[]> = {
  fallback: [],
  parse: toPrivateHosts,
  expected: 'a list of host:port or host:port=ORGANIZATION_ID, separated by commas',
};

const origin = { parse: toOrigin, expected: 'an http:// or https:// URL without a path' };

const organizationCreations = ['operators', 'everyone'] as const;
export type OrganizationCreation = (typeof organizationCreations)[number];

/** Each setting that has one variable, in the order of the documentation. */
export const settingsTable = {
  host: plain('HOST', { fallback: '127.0.0.1', parse: String, expected: 'a host name or address' }),
  port: plain('PORT', { fallback: 3000, parse: toPort, expected: 'a port number from 0 to 65535' }),
  /** The origin that people use, without a path or trailing slash. By default, localhost with the port. */
  publicUrl: plain<string | undefined>('ATRIUM_PUBLIC_URL', { fallback: undefined, ...origin }),
  /** Absolute. */
  dataDirectory: plain('ATRIUM_DATA_DIR', {
    fallback: dataDirectoryOf(undefined),
    parse: dataDirectoryOf,
    expected: 'a path',
  }),
  /** A `postgres://` URL, which can have several hosts; undefined for the embedded database. */
  databaseUrl: secret<string | undefined>('DATABASE_URL', {
    fallback: undefined,
    parse: toDatabaseUrl,
    expected: 'a postgres:// URL; a target_session_attrs in it must be any, read-write or primary',
  }),
  /** The URL of a read replica of the same database, for large reads. */
  databaseReadUrl: secret<string | undefined>('DATABASE_READ_URL', {
    fallback: undefined,
    parse: toDatabaseUrl,
    expected: 'a postgres:// URL',
  }),
  /** The first one encrypts, all of them decrypt; if undefined, a key is generated in the data directory. */
  secretKeys: secret<readonly [string, ...string[]] | undefined>('ATRIUM_SECRET_KEY', {
    fallback: undefined,
    parse: toSecretKeys,
    expected: 'one or more keys of at least 32 characters each, separated by commas',
  }),
  /** Without a trailing slash. */
  entraAuthority: plain('ATRIUM_SSO_ENTRA_AUTHORITY', {
    fallback: 'https://login.microsoftonline.com',
    ...origin,
  }),
  /** A file with a token of the host, which it renews, for authenticating at Entra. Absolute. */
  workloadTokenFile: plain<string | undefined>('ATRIUM_WORKLOAD_TOKEN_FILE', {
    fallback: undefined,
    parse: (text) => resolve(text),
    expected: 'a path',
  }),
  /** The organizations that may use it. */
  workloadOrganizations: plain<readonly string[]>('ATRIUM_WORKLOAD_ORGANIZATIONS', {
    fallback: [],
    parse: toIds,
    expected: 'a list of IDs of organizations, separated by commas',
  }),
  /** Identity providers that may be in a private network. */
  ssoPrivateHosts: plain('ATRIUM_SSO_PRIVATE_HOSTS', privateHosts),
  /** Receivers of webhooks that may be. */
  webhookPrivateHosts: plain('ATRIUM_WEBHOOK_PRIVATE_HOSTS', {
    ...privateHosts,
    parse: toOwnedPrivateHosts,
    expected:
      'a list of host:port=ORGANIZATION_ID, or host:port=* for all organizations, separated by commas',
  }),
  /** Data sources that may be in a private network. */
  sourcePrivateHosts: plain('ATRIUM_SOURCE_PRIVATE_HOSTS', privateHosts),
  dnsServers: plain<readonly HostPort[]>('ATRIUM_DNS_SERVERS', {
    fallback: [],
    parse: toAddressPorts,
    expected: 'a list of ip:port, separated by commas',
  }),
  logLevel: plain<LogLevel>('ATRIUM_LOG_LEVEL', {
    fallback: 'info',
    parse: toOneOf(logLevels),
    expected: `one of ${logLevels.join(', ')}`,
  }),
  /** Whether the log has a line for each request. */
  logRequests: plain('ATRIUM_LOG_REQUESTS', {
    fallback: false,
    parse: toBoolean,
    expected: 'true or false',
  }),
  /** The `smtp://` or `smtps://` URL of the mail server; if undefined, no email is sent. */
  smtpUrl: secret<string | undefined>('ATRIUM_SMTP_URL', {
    fallback: undefined,
    parse: toUrlOf('smtp:', 'smtps:'),
    expected: 'an smtp:// or smtps:// URL',
  }),
  mailFrom: plain('ATRIUM_MAIL_FROM', {
    fallback: 'atrium@localhost',
    parse: normalizeEmail,
    expected: 'an email address',
  }),
  /** Emails with invitations in 24 hours, for each organization and for all together. */
  organizationInvitationsPerDay: whole('ATRIUM_ORGANIZATION_INVITATIONS_PER_DAY', 100, [1, 1_000_000]),
  invitationsPerDay: whole('ATRIUM_INVITATIONS_PER_DAY', 1_000, [1, 1_000_000]),
  /** The limits of a report's query. */
  queryTimeoutSeconds: whole('ATRIUM_QUERY_TIMEOUT_SECONDS', 60, [1, 3_600], 'number of seconds'),
  /** Queries that take longer are logged. */
  slowQuerySeconds: whole('ATRIUM_SLOW_QUERY_SECONDS', 10, [1, 3_600], 'number of seconds'),
  queryMaxRows: whole('ATRIUM_QUERY_MAX_ROWS', 50_000, [1, 1_000_000]),
  queryMemoryMb: whole('ATRIUM_QUERY_MEMORY_MB', 512, [64, 1_048_576], 'number of mebibytes'),
  /** `required`: the server starts only if the operating system isolates query workers. */
  querySandbox: plain<'auto' | 'required'>('ATRIUM_QUERY_SANDBOX', {
    fallback: 'auto',
    parse: toOneOf(['auto', 'required']),
    expected: 'auto or required',
  }),
  /** The maximum size of an organization's uploaded tables on disk, in mebibytes. */
  uploadsMb: whole('ATRIUM_UPLOADS_MB', 51_200, [1, 9_999_999], 'number of mebibytes'),
  /** The dashboards, reports, folders and data sources of an organization, and the mebibytes of its content. */
  organizationMaxRecords: whole('ATRIUM_ORGANIZATION_MAX_RECORDS', 50_000, [1, 9_999_999]),
  organizationContentMb: whole(
    'ATRIUM_ORGANIZATION_CONTENT_MB',
    1_024,
    [1, 9_999_999],
    'number of mebibytes',
  ),
  /** The same of a person outside of organizations. */
  personalMaxRecords: whole('ATRIUM_PERSONAL_MAX_RECORDS', 10_000, [1, 9_999_999]),
  personalContentMb: whole('ATRIUM_PERSONAL_CONTENT_MB', 100, [1, 9_999_999], 'number of mebibytes'),
  /** How many organizations a person who creates one may own. */
  personalMaxOrganizations: whole('ATRIUM_PERSONAL_MAX_ORGANIZATIONS', 50, [1, 9_999_999]),
  /** The requests of an account by its tokens. */
  apiRequestsPerMinute: whole('ATRIUM_API_REQUESTS_PER_MINUTE', 1_200, [1, 9_999_999]),
  /** The requests of a person by their sessions, and of a wall display. */
  sessionRequestsPerMinute: whole('ATRIUM_SESSION_REQUESTS_PER_MINUTE', 6_000, [1, 9_999_999]),
  /** The processor time of a person's requests on the main thread, in milliseconds. */
  processorMsPerMinute: whole(
    'ATRIUM_PROCESSOR_MS_PER_MINUTE',
    10_000,
    [100, 9_999_999],
    'number of milliseconds',
  ),
  /** A bucket on S3-compatible storage for the uploaded tables, with an optional prefix; if undefined, they are in the data directory. */
  tablesUrl: plain<string | undefined>('ATRIUM_TABLES_URL', {
    fallback: undefined,
    parse: toBucketUrl,
    expected: 's3://BUCKET or s3://BUCKET/PREFIX',
  }),
  /** The disk space for copies of the tables of `tablesUrl`, in mebibytes. */
  tablesCacheMb: whole('ATRIUM_TABLES_CACHE_MB', 20_480, [1, 9_999_999], 'number of mebibytes'),
  /** A server other than Amazon's. The SDK reads its other variables itself, since they contain credentials. */
  s3Endpoint: plain<string | undefined>('AWS_ENDPOINT_URL_S3', { fallback: undefined, ...origin }),
  s3Region: plain<string | undefined>('AWS_REGION', {
    fallback: undefined,
    parse: (text) => (/^[a-z0-9-]+$/.test(text) ? text : undefined),
    expected: 'a region, such as eu-central-1',
  }),
  /**
   * After SIGTERM, how long to accept requests while not ready, so that proxies notice before connections are refused.
   * By default 5 on PostgreSQL; with the embedded database 0, since there is no other replica to send requests to.
   */
  drainSeconds: plain<number | undefined>('ATRIUM_DRAIN_SECONDS', {
    fallback: undefined,
    parse: (text) => toWhole(text, 0, 300),
    expected: 'a whole number of seconds from 0 to 300',
  }),
  /** Serves metrics on a port of their own, on the same host. */
  metricsPort: plain<number | undefined>('ATRIUM_METRICS_PORT', {
    fallback: undefined,
    parse: toPort,
    expected: 'a port number from 0 to 65535',
  }),
  /** Requests for metrics have to send it as a bearer token. */
  metricsToken: secret<string | undefined>('ATRIUM_METRICS_TOKEN', {
    fallback: undefined,
    parse: toBearerToken,
    expected: 'at least 32 letters, digits or any of -._~+/=',
  }),
  /** Where the server makes backups by itself; undefined if it doesn't. Absolute. */
  backupDirectory: plain<string | undefined>('ATRIUM_BACKUP_DIR', {
    fallback: undefined,
    parse: (text) => resolve(text),
    expected: 'a path',
  }),
  backupEveryHours: whole('ATRIUM_BACKUP_EVERY_HOURS', 24, [1, 8_760], 'number of hours'),
  backupKeepCount: whole('ATRIUM_BACKUP_KEEP', 7, [1, 1_000]),
  /** Who may create organizations, apart from the set-up and the command line. */
  organizationCreation: plain<OrganizationCreation>('ATRIUM_ORGANIZATION_CREATION', {
    fallback: 'operators',
    parse: toOneOf(organizationCreations),
    expected: 'operators or everyone',
  }),
  /** Addresses or networks (CIDR) of proxies whose `X-Forwarded-For` contains the client's address. */
  trustedProxies: plain<readonly string[]>('ATRIUM_TRUSTED_PROXIES', {
    fallback: [],
    parse: toNetworks,
    expected: 'a list of addresses or networks, separated by commas',
  }),
  /** A file with additional trusted certificates, which Node.js reads when it starts. */
  trustedCertificates: plain<string | undefined>('NODE_EXTRA_CA_CERTS', {
    fallback: undefined,
    parse: String,
    expected: 'a path',
  }),
};
