import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';

const timeoutMs = 5_000;
const maxAnswerBytes = 256 * 1024;

/** What an address that a user typed was refused for; `message` is for that user. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly code: 'address_refused' | 'unreachable';
  constructor(code: 'address_refused' | 'unreachable', message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface OutgoingRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Outgoing {
  /**
   * Sends a request to an address that a user typed, or that another host named. Throws `OutgoingError` unless the
   * address is https and leads to a public address, by an answer within 5 s and 256 KiB. Redirects are not followed.
   */
  fetch(url: string, options?: OutgoingRequest): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Returns the one way out to addresses that users typed. Every address that a name resolves to is checked as the
 * connection is made, so a name that changes its mind between check and use gains nothing. `privateHosts` may lead
 * to private addresses, and be plain http.
 */
export function createOutgoing(
  privateHosts: readonly { readonly host: string; readonly port: number }[],
  lookup: LookupFunction = systemLookup,
): Outgoing {
  const isPrivateHost = (host: string, port: number) =>
    privateHosts.some((allowed) => allowed.host === host && allowed.port === port);
  const shared = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxResponseSize: maxAnswerBytes };
  const publicAgent = new Agent({ ...shared, connect: { timeout: timeoutMs, lookup: publicLookup(lookup) } });
  const privateAgent = new Agent({ ...shared, connect: { timeout: timeoutMs, lookup } });

  return {
    async fetch(text, options = {}) {
      const url = URL.parse(text);
      if (url === null || url.username !== '' || url.password !== '')
        throw refused(text, 'is no address to ask');
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      const mayBePrivate = isPrivateHost(host, port);
      if (url.protocol !== 'https:' && !(mayBePrivate && url.protocol === 'http:'))
        throw refused(text, 'is not https');
      // A host that is an address is never looked up, so it is checked here.
      if (!mayBePrivate && isIP(host) > 0 && !isPublicAddress(host))
        throw refused(text, 'leads to a private network');
      return send(url, options, mayBePrivate ? privateAgent : publicAgent);
    },
    close: async () => {
      await Promise.all([publicAgent.destroy(), privateAgent.destroy()]);
    },
  };
}

async function send(
  url: URL,
  { method = 'GET', headers = {}, body }: OutgoingRequest,
  agent: Agent,
): Promise<Response> {
  try {
    const answer = await request(url, {
      method: method as 'GET',
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

/** The virtual public address at which the hosts of Azure tell their guests about themselves. */
const azureHost = '168.63.129.16';
/** All that is handed out of IPv6 (RFC 4291, section 2.4); outside lie addresses that stand for others of IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address belongs to the public internet; no to loopback, private, link-local and mapped ones. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(globalUnicast) : parsed.toString() !== azureHost;
}

/** Resolves as `lookup` does, and refuses a name of which any address is not public. */
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = found as unknown as LookupAddress[];
      if (error) return callback(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(
          new OutgoingError('address_refused', `${hostname} leads to a private network, and is not asked.`),
          [],
        );
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function findOutgoingError(error: unknown): OutgoingError | undefined {
  if (error instanceof OutgoingError) return error;
  return error instanceof Error && error.cause !== undefined ? findOutgoingError(error.cause) : undefined;
}

/** In words for an administrator: what the network said, without a stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError' || /TIMEOUT/.test(code)) return 'no answer within 5 seconds';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'the answer is larger than 256 KiB';
  if (code === 'ENOTFOUND') return 'its name is not known to DNS';
  if (code === 'ECONNREFUSED') return 'the connection is refused';
  return error.message === '' ? code : error.message;
}
