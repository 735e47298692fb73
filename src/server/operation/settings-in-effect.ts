import type { ServerState } from '#contract/operation.ts';
import type { Settings } from '../config.ts';

type Setting = ServerState['settings'][number];

const plain = (name: string, value: string | number | undefined): Setting => ({
  name,
  isSecret: false,
  isSet: value !== undefined && value !== '',
  ...(value !== undefined && value !== '' && { value: String(value) }),
});

/** Returns only whether a secret is set. A URL that contains a password is a secret as a whole. */
const secret = (name: string, value: unknown): Setting => ({
  name,
  isSecret: true,
  isSet: value !== undefined,
});

const listed = (hosts: Settings['dnsServers']): string =>
  hosts.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)).join(', ');

/** Returns the settings by their environment variables, without secrets. */
export const settingsInEffect = (settings: Settings): Setting[] => [
  plain('HOST', settings.host),
  plain('PORT', settings.port),
  plain('ATRIUM_PUBLIC_URL', settings.publicUrl),
  plain('ATRIUM_DATA_DIR', settings.dataDirectory),
  secret('DATABASE_URL', settings.databaseUrl),
  settings.secretKeys === undefined
    ? { ...plain('ATRIUM_SECRET_KEY', 'generated, in the data directory'), isSet: false }
    : secret('ATRIUM_SECRET_KEY', settings.secretKeys),
  plain('ATRIUM_OWNER_EMAIL', settings.firstOwner?.email),
  secret('ATRIUM_OWNER_PASSWORD', settings.firstOwner),
  plain('ATRIUM_ORGANIZATION', settings.firstOwner?.organization),
  plain('ATRIUM_SSO_ENTRA_AUTHORITY', settings.entraAuthority),
  plain('ATRIUM_SSO_PRIVATE_HOSTS', listed(settings.ssoPrivateHosts)),
  plain('ATRIUM_SOURCE_PRIVATE_HOSTS', listed(settings.sourcePrivateHosts)),
  plain('ATRIUM_DNS_SERVERS', listed(settings.dnsServers)),
  plain('ATRIUM_LOG_LEVEL', settings.logLevel),
  secret('ATRIUM_SMTP_URL', settings.smtpUrl),
  plain('ATRIUM_MAIL_FROM', settings.mailFrom),
  plain('ATRIUM_QUERY_TIMEOUT_SECONDS', settings.queryTimeoutSeconds),
  plain('ATRIUM_QUERY_MAX_ROWS', settings.queryMaxRows),
  plain('ATRIUM_QUERY_MEMORY_MB', settings.queryMemoryMb),
  plain('ATRIUM_QUERY_SANDBOX', settings.querySandbox),
  plain('ATRIUM_UPLOADS_MB', settings.uploadsMb),
  plain('ATRIUM_DRAIN_SECONDS', settings.drainSeconds),
  plain('ATRIUM_ORGANIZATION_CREATION', settings.organizationCreation),
  plain('ATRIUM_TRUSTED_PROXIES', settings.trustedProxies.join(', ')),
  plain('NODE_EXTRA_CA_CERTS', settings.trustedCertificates),
];
