import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, request } from 'undici';
import type { HostPort, PrivateHost } from '../settings/values.ts';
import { DnsError } from './dns-query.ts';
import { findOutgoingError, OutgoingError } from './outgoing-error.ts';
import { isListedFor } from './private-hosts.ts';
import { isPublicAddress } from './public-address.ts';
import { createAddressResolver, createPublicLookup, type ResolveAddresses } from './public-lookup.ts';

const timeoutMs = 5_000;
/** The part of it for DNS, which leaves time for the request itself. */
const dnsTimeoutMs = 4_000;
const maxResponseBytes = 256 * 1024;

export interface OutgoingRequest {
  /** The organization whose people entered the address. It may use only those private hosts that are listed for it. */
  readonly organizationId: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * The URL of the document that contained the address, if no user entered it. A request to a private host is then
   * allowed only if the document came from that host: an organization's documents can't use a host allowed for another
   * one.
   */
  readonly namedBy?: string;
}

export interface Outgoing {
  /**
   * Sends a request to a URL that a user entered, or that a document of another host contains. Throws `OutgoingError`
   * unless the URL is https and resolves to a public address, and the response arrives within 5 s and has at most
   * 256 KiB. Redirects are not followed.
   */
  fetch(url: string, request: OutgoingRequest): Promise<Response>;
  /**
   * The same for a response that people are shown: without its text if the host is a private one. What is in a private network is not
   * for everyone who may enter an address.
   */
  fetchShown(url: string, request: OutgoingRequest): Promise<ShownResponse>;
  /** Whether a URL leads to a private host that is listed for the organization. Nothing that such a host returns may be shown. */
  isPrivate(url: string, organizationId: string): boolean;
  close(): Promise<void>;
}

/** What people may know of a response. */
export interface ShownResponse {
  readonly ok: boolean;
  readonly status: number;
  /** Undefined for a private host. */
  readonly text: string | undefined;
}

/** One agent for public addresses, and one for the operator's list of private hosts. */
interface Agents {
  readonly request: typeof request;
  readonly publicAgent: Agent;
  readonly privateAgent: Agent;
}

/** How names are resolved; replaced in tests. */
export interface NameLookups {
  /** For names that users entered: by DNS, without blocking on slow name servers of others. */
  readonly resolvePublic?: ResolveAddresses;
  /** For private hosts, which the operator trusts: by the system, with its hosts file. */
  readonly lookupPrivate?: LookupFunction;
}

/**
 * Returns the only client for URLs that users entered. Every address that a name resolves to is checked when
 * connecting, so a name can't resolve to something else between check and use (DNS rebinding). `privateHosts` may
 * resolve to private addresses and use plain http.
 */
export function createOutgoing(
  privateHosts: readonly PrivateHost[],
  {
    resolvePublic = createAddressResolver({ servers: [], deadlineMs: dnsTimeoutMs }),
    lookupPrivate = systemLookup,
  }: NameLookups = {},
): Outgoing {
  let opened: Promise<Agents> | undefined;
  // Loaded at the first request, which usually comes long after the start, so that it does not delay the start.
  const openAgents = async (): Promise<Agents> => {
    const undici = await import('undici');
    const shared = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxResponseSize: maxResponseBytes };
    const agentOf = (lookup: LookupFunction) =>
      new undici.Agent({ ...shared, connect: { timeout: timeoutMs, lookup } });
    return {
      request: undici.request,
      publicAgent: agentOf(createPublicLookup(resolvePublic)),
      privateAgent: agentOf(lookupPrivate),
    };
  };

  const fetch = async (text: string, options: OutgoingRequest): Promise<Response> => {
    const { url, mayBePrivate } = requireAllowed(privateHosts, text, options);
    const { request, publicAgent, privateAgent } = await (opened ??= openAgents());
    return send(request, mayBePrivate ? privateAgent : publicAgent, url, options);
  };
  const isPrivate = (text: string, organizationId: string): boolean => {
    const url = URL.parse(text);
    return url !== null && isListedFor(privateHosts, hostPortOf(url), organizationId);
  };

  return {
    fetch,
    async fetchShown(text, options) {
      const response = await fetch(text, options);
      const { ok, status } = response;
      const isHidden = isPrivate(text, options.organizationId);
      return { ok, status, text: isHidden ? undefined : await response.text() };
    },
    isPrivate,
    close: async () => {
      const agents = await opened;
      if (agents !== undefined)
        await Promise.all([agents.publicAgent.destroy(), agents.privateAgent.destroy()]);
    },
  };
}

/** Returns why a URL that a user enters can never be connected to, whatever its name resolves to; or undefined. */
export function findUrlFault(
  privateHosts: readonly PrivateHost[],
  text: string,
  organizationId: string,
): string | undefined {
  try {
    requireAllowed(privateHosts, text, { organizationId });
    return undefined;
  } catch (error) {
    return findOutgoingError(error)?.message ?? String(error);
  }
}

/** Throws `OutgoingError` if a URL that a user enters can never be connected to, whatever its name resolves to. */
function requireAllowed(
  privateHosts: readonly PrivateHost[],
  text: string,
  { organizationId, namedBy }: Pick<OutgoingRequest, 'organizationId' | 'namedBy'>,
): { url: URL; mayBePrivate: boolean } {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') throw refused(text, 'is not a valid URL');
  const { host, port } = hostPortOf(url);
  const isPrivateHost = isListedFor(privateHosts, { host, port }, organizationId);
  const mayBePrivate = isPrivateHost && isFromSameHost(url, namedBy);
  if (url.protocol !== 'https:' && !(mayBePrivate && url.protocol === 'http:'))
    throw refused(text, 'must use https');
  // A host that is an IP address is never looked up, so it is checked here.
  if (!mayBePrivate && isIP(host) > 0 && !isPublicAddress(host))
    throw refused(text, 'is in a private network');
  return { url, mayBePrivate };
}

function hostPortOf(url: URL): HostPort {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) };
}

/** Whether a URL was entered by a user, or is in a document from the same host and port. */
function isFromSameHost(url: URL, namedBy: string | undefined): boolean {
  if (namedBy === undefined) return true;
  const document = URL.parse(namedBy);
  if (document === null) return false;
  const [one, other] = [hostPortOf(url), hostPortOf(document)];
  return one.host === other.host && one.port === other.port;
}

async function send(
  sendRequest: typeof request,
  agent: Agent,
  url: URL,
  { method = 'GET', headers = {}, body }: OutgoingRequest,
): Promise<Response> {
  try {
    const response = await sendRequest(url, {
      method,
      // Without compression, the response can't decompress to more than the limit.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.body.text();
    const flat = Object.entries(response.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((single): [string, string] => [name, single]),
    );
    const isBodiless = [204, 205, 304].includes(response.statusCode);
    return new Response(isBodiless ? null : text, { status: response.statusCode, headers: flat });
  } catch (error) {
    const known = findOutgoingError(error);
    if (known !== undefined) throw known;
    throw new OutgoingError('unreachable', `Could not connect to ${url.origin}: ${reasonOf(error)}`, error);
  }
}

const refused = (url: string, why: string): OutgoingError =>
  new OutgoingError('address_refused', `Not allowed to connect to ${url.slice(0, 200)}: it ${why}.`);

/** Returns the error of the network for an administrator, without a stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DnsError) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError' || /TIMEOUT/.test(code)) return 'no response within 5 seconds';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'the response is larger than 256 KiB';
  if (code === 'ENOTFOUND') return 'its name was not found in DNS';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  return error.message === '' ? code : error.message;
}
