import { isIP } from 'node:net';
import dns from 'dns2';

/** A real DNS server in this process, with TXT records and addresses. */
export interface DnsServer {
  /** `ip:port`, for ATRIUM_DNS_SERVERS. */
  readonly address: string;
  /** Replaces the TXT records of a name; without any, the name does not exist. */
  publish(name: string, ...texts: string[]): void;
  /** Replaces the addresses of a name, of either family. */
  publishAddresses(name: string, ...addresses: string[]): void;
  /** Stops responding to queries for a name and its subdomains. */
  silence(name: string): void;
  /** Responds to every query with SERVFAIL, or as usual again. */
  fail(fails: boolean): void;
  stop(): Promise<void>;
}

const { RCODE, TYPE } = dns.Packet;
/** A TXT record consists of strings of at most 255 bytes each (RFC 1035, section 3.3). */
const longestString = 255;

/** Starts a DNS server on a free port of the loopback interface, by UDP. */
export async function startDnsServer(): Promise<DnsServer> {
  const texts = new Map<string, readonly string[]>();
  const addresses = new Map<string, readonly string[]>();
  const silenced: string[] = [];
  let isFailing = false;
  const server = dns.createUDPServer((request, send) => {
    const [question] = request.questions;
    const name = question?.name.toLowerCase() ?? '';
    if (silenced.some((silent) => name === silent || name.endsWith(`.${silent}`))) return;
    const isKnown = (texts.get(name)?.length ?? 0) > 0 || addresses.has(name);
    if (question === undefined || isFailing || !isKnown) {
      const code = isFailing ? RCODE.SERVFAIL : RCODE.NXDOMAIN;
      void send(dns.Packet.createErrorResponseFromRequest(request, code));
      return;
    }
    const response = dns.Packet.createResponseFromRequest(request);
    const add = (record: { data: string[] } | { address: string }) =>
      response.answers.push(dns.Packet.createResourceFromQuestion(question, { ttl: 0, ...record }));
    if (question.type === TYPE.TXT) {
      for (const text of texts.get(name) ?? [])
        add({ data: text.match(new RegExp(`.{1,${longestString}}`, 'gs')) ?? [''] });
    }
    const family = { [TYPE.A]: 4, [TYPE.AAAA]: 6 }[question.type];
    for (const address of addresses.get(name) ?? []) if (isIP(address) === family) add({ address });
    void send(response);
  });
  await server.listen(0, '127.0.0.1');
  return {
    address: `127.0.0.1:${server.address().port}`,
    publish: (name, ...published) => void texts.set(name.toLowerCase(), published),
    publishAddresses: (name, ...published) => void addresses.set(name.toLowerCase(), published),
    silence: (name) => void silenced.push(name.toLowerCase()),
    fail: (fails) => {
      isFailing = fails;
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
