import dns from 'dns2';

/** A real DNS server in this process, which knows TXT records and nothing else. */
export interface DnsServer {
  /** `ip:port`, for ATRIUM_DNS_SERVERS. */
  readonly address: string;
  /** Publishes the TXT records of a name in place of those before; without any the name is not known. */
  publish(name: string, ...texts: string[]): void;
  /** Answers every question with SERVFAIL, or as usual again. */
  fail(fails: boolean): void;
  stop(): Promise<void>;
}

const { RCODE, TYPE } = dns.Packet;
/** A TXT record is of character strings of at most 255 bytes each (RFC 1035, section 3.3). */
const longestString = 255;

/** Starts a DNS server on a free port of the loopback interface, by UDP. */
export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, readonly string[]>();
  let isFailing = false;
  const server = dns.createUDPServer((request, send) => {
    const [question] = request.questions;
    const texts = records.get(question?.name.toLowerCase() ?? '') ?? [];
    if (question === undefined || isFailing || texts.length === 0) {
      const code = isFailing ? RCODE.SERVFAIL : RCODE.NXDOMAIN;
      void send(dns.Packet.createErrorResponseFromRequest(request, code));
      return;
    }
    const response = dns.Packet.createResponseFromRequest(request);
    if (question.type === TYPE.TXT) {
      for (const text of texts) {
        const data = text.match(new RegExp(`.{1,${longestString}}`, 'gs')) ?? [''];
        response.answers.push(dns.Packet.createResourceFromQuestion(question, { ttl: 0, data }));
      }
    }
    void send(response);
  });
  await server.listen(0, '127.0.0.1');
  return {
    address: `127.0.0.1:${server.address().port}`,
    publish: (name, ...texts) => void records.set(name.toLowerCase(), texts),
    fail: (fails) => {
      isFailing = fails;
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
