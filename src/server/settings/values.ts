import { isIP } from 'node:net';
import { parseDatabaseUrl } from '../base/database/url.ts';
import { domainName } from '../base/texts/email-address.ts';

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A host and port, as in `ATRIUM_SSO_PRIVATE_HOSTS`. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** A host that an organization may reach in a private network. */
export interface PrivateHost extends HostPort {
  /** The only organization that may, or `*` for all of them. All may if it is missing, but the operator may not have meant that. */
  readonly organizationId?: string;
}

/** The parsers return undefined for a text that is not such a value. */
export const toPort = (text: string): number | undefined => toWhole(text, 0, 65_535);

/** A whole number between `least` and `most`, which has at most seven digits. */
export function toWhole(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : undefined;
}

/** An origin, without a trailing slash. */
export function toOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

/** A URL with one of these protocols, unchanged. */
export const toUrlOf =
  (...protocols: readonly string[]) =>
  (text: string): string | undefined =>
    protocols.includes(URL.parse(text)?.protocol ?? '') ? text : undefined;

/** An `s3://` URL of a bucket and an optional prefix, unchanged. */
export const toBucketUrl = (text: string): string | undefined =>
  /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w-][\w.-]*)*\/?$/.test(text) ? text : undefined;

/** A URL with one or several hosts of a PostgreSQL database, unchanged. */
export const toDatabaseUrl = (text: string): string | undefined =>
  parseDatabaseUrl(text) === undefined ? undefined : text;

export const toOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text);

/** A bearer token (RFC 6750, section 2.1) that can't be guessed. */
export const toBearerToken = (text: string): string | undefined =>
  /^[A-Za-z0-9\-._~+/]{32,}=*$/.test(text) ? text : undefined;

export function toSecretKeys(text: string): readonly [string, ...string[]] | undefined {
  const [first, ...rest] = listed(text);
  return first !== undefined && [first, ...rest].every((key) => key.length >= 32)
    ? [first, ...rest]
    : undefined;
}

function toHostPorts(text: string): readonly HostPort[] | undefined {
  const entries = listed(text).map((entry) => {
    const [, host, port] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const bare = host?.replace(/^\[(.*)\]$/, '$1').toLowerCase() ?? '';
    const number = toPort(port ?? '');
    const isHost = isIP(bare) > 0 || domainName(bare) !== undefined;
    return isHost && number ? { host: bare, port: number } : undefined;
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** Entries of `host:port=ORGANIZATION_ID`, of `host:port=*` for every organization, or of `host:port`, which also is for every one. */
export function toPrivateHosts(text: string): readonly PrivateHost[] | undefined {
  const entries = listed(text).map((entry) => {
    const [address = '', owner = '', ...rest] = entry.split('=');
    const [host] = toHostPorts(address) ?? [];
    const [organizationId] = toIds(owner) ?? [];
    if (host === undefined || rest.length > 0) return undefined;
    if (address === entry) return host;
    if (owner === '*') return { ...host, organizationId: '*' };
    return organizationId === undefined ? undefined : { ...host, organizationId };
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** The same, but every entry names whom it is for. */
export const toOwnedPrivateHosts = (text: string): readonly PrivateHost[] | undefined =>
  listed(text).every((entry) => entry.includes('=')) ? toPrivateHosts(text) : undefined;

export function toAddressPorts(text: string): readonly HostPort[] | undefined {
  const entries = toHostPorts(text);
  return entries?.every(({ host }) => isIP(host) > 0) ? entries : undefined;
}

/** Addresses and networks (CIDR). */
export function toNetworks(text: string): readonly string[] | undefined {
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

/** IDs of records. */
export function toIds(text: string): readonly string[] | undefined {
  const ids = listed(text);
  return ids.every((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) ? ids : undefined;
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const toBoolean = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;
