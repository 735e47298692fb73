import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { logLevels, type LogLevel } from '#contract/operation.ts';
import { domainName, normalizeEmail } from './base/email-address.ts';
import { StartError } from './base/errors.ts';
import { hasPasswordLength } from './base/new-password.ts';

/** A host and port, as in `ATRIUM_SSO_PRIVATE_HOSTS`. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const organizationCreations = ['operators', 'everyone'] as const;
export type OrganizationCreation = (typeof organizationCreations)[number];

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** The origin that people use, without a path or trailing slash. */
  readonly publicUrl: string;
  /** Absolute. */
  readonly dataDirectory: string;
  /** A `postgres://` URL; undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  /** The first one encrypts, all of them decrypt; if undefined, a key is generated in the data directory. */
  readonly secretKeys: readonly [string, ...string[]] | undefined;
  readonly firstOwner:
    | { readonly email: string; readonly password: string; readonly organization: string }
    | undefined;
  /** Without a trailing slash. */
  readonly entraAuthority: string;
  readonly ssoPrivateHosts: readonly HostPort[];
  /** Data sources that may be in a private network. */
  readonly sourcePrivateHosts: readonly HostPort[];
  readonly dnsServers: readonly HostPort[];
  readonly logLevel: LogLevel;
  /** The `smtp://` or `smtps://` URL of the mail server; if undefined, no email is sent. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** The limits of a report's query. */
  readonly queryTimeoutSeconds: number;
  readonly queryMaxRows: number;
  readonly queryMemoryMb: number;
  /** `required`: the server starts only if the operating system isolates query workers. */
  readonly querySandbox: 'auto' | 'required';
  /** The maximum size of an organization's uploaded tables on disk, in mebibytes. */
  readonly uploadsMb: number;
  /**
   * After SIGTERM, how long to accept requests while not ready, so that proxies notice before connections are refused.
   */
  readonly drainSeconds: number;
  /** Who may create organizations, apart from the set-up and the command line. */
  readonly organizationCreation: OrganizationCreation;
  /** Addresses or networks (CIDR) of proxies whose `X-Forwarded-For` contains the client's address. */
  readonly trustedProxies: readonly string[];
  /** A file with additional trusted certificates, which Node.js reads when it starts. */
  readonly trustedCertificates: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from environment variables; an empty variable counts as absent. Throws a `StartError` that
 * names every variable with an invalid value, and never shows a value that could contain a secret.
 */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = [];

  function read<T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    faults.push(`${name} must be ${expected}.`);
    return fallback;
  }

  const port = read('PORT', 3000, toPort, 'a port number from 0 to 65535');
  const databaseUrl = read('DATABASE_URL', undefined, toDatabaseUrl, 'a postgres:// URL');
  const secretKeys = read(
    'ATRIUM_SECRET_KEY',
    undefined,
    toSecretKeys,
    'one or more keys of at least 32 characters each, separated by commas',
  );
  if (databaseUrl !== undefined && secretKeys === undefined && !environment['ATRIUM_SECRET_KEY']?.trim()) {
    faults.push('ATRIUM_SECRET_KEY must be set if DATABASE_URL is set, since all replicas share the key.');
  }

  const settings: Settings = {
    host: read('HOST', '127.0.0.1', (text) => text, 'a host name or address'),
    port,
    publicUrl: read(
      'ATRIUM_PUBLIC_URL',
      `http://localhost:${port}`,
      toOrigin,
      'an http:// or https:// URL without a path',
    ),
    dataDirectory: resolve(read('ATRIUM_DATA_DIR', './data', (text) => text, 'a path')),
    databaseUrl,
    secretKeys,
    firstOwner: readFirstOwner(environment, faults),
    entraAuthority: read(
      'ATRIUM_SSO_ENTRA_AUTHORITY',
      'https://login.microsoftonline.com',
      toOrigin,
      'an http:// or https:// URL without a path',
    ),
    ssoPrivateHosts: read(
      'ATRIUM_SSO_PRIVATE_HOSTS',
      [],
      toHostPorts,
      'a list of host:port, separated by commas',
    ),
    sourcePrivateHosts: read(
      'ATRIUM_SOURCE_PRIVATE_HOSTS',
      [],
      toHostPorts,
      'a list of host:port, separated by commas',
    ),
    dnsServers: read(
      'ATRIUM_DNS_SERVERS',
      [],
      (text) => (toHostPorts(text)?.every(({ host }) => isIP(host) > 0) ? toHostPorts(text) : undefined),
      'a list of ip:port, separated by commas',
    ),
    logLevel: read(
      'ATRIUM_LOG_LEVEL',
      'info',
      (text) => logLevels.find((level) => level === text),
      `one of ${logLevels.join(', ')}`,
    ),
    smtpUrl: read('ATRIUM_SMTP_URL', undefined, toSmtpUrl, 'an smtp:// or smtps:// URL'),
    mailFrom: read('ATRIUM_MAIL_FROM', 'atrium@localhost', normalizeEmail, 'an email address'),
    querySandbox: read(
      'ATRIUM_QUERY_SANDBOX',
      'auto',
      (text) => (['auto', 'required'] as const).find((mode) => mode === text),
      'auto or required',
    ),
    queryTimeoutSeconds: read(
      'ATRIUM_QUERY_TIMEOUT_SECONDS',
      60,
      (text) => toWhole(text, 1, 3_600),
      'a whole number of seconds from 1 to 3600',
    ),
    queryMaxRows: read(
      'ATRIUM_QUERY_MAX_ROWS',
      50_000,
      (text) => toWhole(text, 1, 1_000_000),
      'a whole number from 1 to 1000000',
    ),
    queryMemoryMb: read(
      'ATRIUM_QUERY_MEMORY_MB',
      512,
      (text) => toWhole(text, 64, 1_048_576),
      'a whole number of mebibytes from 64 to 1048576',
    ),
    uploadsMb: read(
      'ATRIUM_UPLOADS_MB',
      51_200,
      (text) => toWhole(text, 1, 9_999_999),
      'a whole number of mebibytes from 1 to 9999999',
    ),
    drainSeconds: read(
      'ATRIUM_DRAIN_SECONDS',
      // With the embedded database, there is no other replica that a proxy could send requests to.
      databaseUrl === undefined ? 0 : 5,
      (text) => toWhole(text, 0, 300),
      'a whole number of seconds from 0 to 300',
    ),
    organizationCreation: read(
      'ATRIUM_ORGANIZATION_CREATION',
      'operators',
      (text) => organizationCreations.find((allowed) => allowed === text),
      'operators or everyone',
    ),
    trustedCertificates: read('NODE_EXTRA_CA_CERTS', undefined, (text) => text, 'a path'),
    trustedProxies: read(
      'ATRIUM_TRUSTED_PROXIES',
      [],
      toNetworks,
      'a list of addresses or networks, separated by commas',
    ),
  };
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  return settings;
}

function readFirstOwner(environment: Environment, faults: string[]): Settings['firstOwner'] {
  const emailText = environment['ATRIUM_OWNER_EMAIL']?.trim() ?? '';
  // Not trimmed, since a password can start or end with a space.
  const entered = environment['ATRIUM_OWNER_PASSWORD'] ?? '';
  const password = entered.trim() === '' ? '' : entered;
  const organization = environment['ATRIUM_ORGANIZATION']?.trim() ?? '';
  if (emailText === '' && password === '' && organization === '') return undefined;
  const email = normalizeEmail(emailText);
  if (email === undefined)
    faults.push(
      'ATRIUM_OWNER_EMAIL must be an email address, because another setting of the first owner is set.',
    );
  // Common passwords are refused where the owner is created.
  if (!hasPasswordLength(password)) {
    faults.push(
      'ATRIUM_OWNER_PASSWORD must have 12 to 1,024 characters, because another setting of the first owner is set.',
    );
  }
  if (organization === '')
    faults.push('ATRIUM_ORGANIZATION must be a name, because another setting of the first owner is set.');
  return email === undefined ? undefined : { email, password, organization };
}

const toPort = (text: string): number | undefined => toWhole(text, 0, 65_535);

function toWhole(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : undefined;
}

function toOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

function toDatabaseUrl(text: string): string | undefined {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'postgres:' || protocol === 'postgresql:' ? text : undefined;
}

function toSmtpUrl(text: string): string | undefined {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'smtp:' || protocol === 'smtps:' ? text : undefined;
}

function toSecretKeys(text: string): readonly [string, ...string[]] | undefined {
  const [first, ...rest] = listed(text);
  return first !== undefined && [first, ...rest].every((key) => key.length >= 32)
    ? [first, ...rest]
    : undefined;
}

function toHostPorts(text: string): HostPort[] | undefined {
  const entries = listed(text).map((entry) => {
    const [, host, port] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const bare = host?.replace(/^\[(.*)\]$/, '$1').toLowerCase() ?? '';
    const number = toPort(port ?? '');
    const isHost = isIP(bare) > 0 || domainName(bare) !== undefined;
    return isHost && number ? { host: bare, port: number } : undefined;
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function toNetworks(text: string): string[] | undefined {
  const networks = listed(text);
  const isNetwork = (entry: string) => {
    const [address = '', prefix, ...rest] = entry.split('/');
    const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
    if (bits < 0 || rest.length > 0) return false;
    // The whole internet (a prefix of 0) is not a proxy, and Fastify refuses it.
    return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
  };
  return networks.every(isNetwork) ? networks : undefined;
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
