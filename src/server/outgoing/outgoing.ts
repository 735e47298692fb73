import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, request } from 'undici';
import type { HostPort } from '../config.ts';
import { DnsError } from './dns-question.ts';
import { findOutgoingError, OutgoingError } from './outgoing-error.ts';
import { isPublicAddress } from './public-address.ts';
import { createAddressResolver, createPublicLookup, type ResolveAddresses } from './public-lookup.ts';

const timeoutMs = 5_000;
/** Of these, for DNS: what is left is for who has answered just in time. */
const dnsTimeoutMs = 4_000;
const maxAnswerBytes = 256 * 1024;

export interface OutgoingRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * The document that named the address, where no user typed it. A private host is then asked only if the document
   * came from it: what the operator allowed to one organization is not for the documents of another.
   */
  readonly namedBy?: string;
}

export interface Outgoing {
  /**
   * Sends a request to an address that a user typed, or that another host named. Throws `OutgoingError` unless the
   * address is https and leads to a public address, by an answer within 5 s and 256 KiB. Redirects are not followed.
   */
  fetch(url: string, options?: OutgoingRequest): Promise<Response>;
  close(): Promise<void>;
}

/** A way to public addresses, and one to those of the operator's list. */
interface Agents {
  readonly request: typeof request;
  readonly publicAgent: Agent;
  readonly privateAgent: Agent;
}

/** How names become addresses; replaced in tests. */
export interface NameLookups {
  /** Of names that users typed: by DNS, where nobody waits for another's name server. */
  readonly resolvePublic?: ResolveAddresses;
  /** Of the private hosts, which the operator trusts: as the system does, with its hosts file. */
  readonly lookupPrivate?: LookupFunction;
}

/**
 * Returns the one way out to addresses that users typed. Every address that a name resolves to is checked as the
 * connection is made, so a name that changes its mind between check and use gains nothing. `privateHosts` may lead
 * to private addresses, and be plain http.
 */
export function createOutgoing(
  privateHosts: readonly HostPort[],
  {
    resolvePublic = createAddressResolver({ servers: [], deadlineMs: dnsTimeoutMs }),
    lookupPrivate = systemLookup,
  }: NameLookups = {},
): Outgoing {
  const isPrivateHost = ({ host, port }: HostPort) =>
    privateHosts.some((allowed) => allowed.host === host && allowed.port === port);
  let opened: Promise<Agents> | undefined;
  // Loaded for the first request: that of most servers comes long after the start, which it would hold.
  const openAgents = async (): Promise<Agents> => {
    const undici = await import('undici');
    const shared = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxResponseSize: maxAnswerBytes };
    const agentOf = (lookup: LookupFunction) =>
      new undici.Agent({ ...shared, connect: { timeout: timeoutMs, lookup } });
    return {
      request: undici.request,
      publicAgent: agentOf(createPublicLookup(resolvePublic)),
      privateAgent: agentOf(lookupPrivate),
    };
  };

  return {
    async fetch(text, options = {}) {
      const url = URL.parse(text);
      if (url === null || url.username !== '' || url.password !== '')
        throw refused(text, 'is no address to ask');
      const { host, port } = hostPortOf(url);
      const mayBePrivate = isPrivateHost({ host, port }) && isItsOwn(url, options.namedBy);
      if (url.protocol !== 'https:' && !(mayBePrivate && url.protocol === 'http:'))
        throw refused(text, 'is not https');
      // A host that is an address is never looked up, so it is checked here.
      if (!mayBePrivate && isIP(host) > 0 && !isPublicAddress(host))
        throw refused(text, 'leads to a private network');
      const { request, publicAgent, privateAgent } = await (opened ??= openAgents());
      return send(request, mayBePrivate ? privateAgent : publicAgent, url, options);
    },
    close: async () => {
      const agents = await opened;
      if (agents !== undefined)
        await Promise.all([agents.publicAgent.destroy(), agents.privateAgent.destroy()]);
    },
  };
}

function hostPortOf(url: URL): HostPort {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) };
}

/** Whether an address is typed, or named by a document of the same host and port. */
function isItsOwn(url: URL, namedBy: string | undefined): boolean {
  if (namedBy === undefined) return true;
  const document = URL.parse(namedBy);
  if (document === null) return false;
  const [one, other] = [hostPortOf(url), hostPortOf(document)];
  return one.host === other.host && one.port === other.port;
}

async function send(
  ask: typeof request,
  agent: Agent,
  url: URL,
  { method = 'GET', headers = {}, body }: OutgoingRequest,
): Promise<Response> {
  try {
    const answer = await ask(url, {
      method,
      // What is not packed cannot unpack to more than was counted.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.body.text();
    const flat = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((single): [string, string] => [name, single]),
    );
    const isBodiless = [204, 205, 304].includes(answer.statusCode);
    return new Response(isBodiless ? null : text, { status: answer.statusCode, headers: flat });
  } catch (error) {
    const known = findOutgoingError(error);
    if (known !== undefined) throw known;
    throw new OutgoingError('unreachable', `${url.origin} could not be asked: ${reasonOf(error)}`, error);
  }
}

const refused = (url: string, why: string): OutgoingError =>
  new OutgoingError('address_refused', `The address ${url.slice(0, 200)} ${why}, and is not asked.`);

/** In words for an administrator: what the network said, without a stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DnsError) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError' || /TIMEOUT/.test(code)) return 'no answer within 5 seconds';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'the answer is larger than 256 KiB';
  if (code === 'ENOTFOUND') return 'its name is not known to DNS';
  if (code === 'ECONNREFUSED') return 'the connection is refused';
  return error.message === '' ? code : error.message;
}
