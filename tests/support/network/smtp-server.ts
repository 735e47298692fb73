import { createServer, type AddressInfo } from 'node:net';
import { atEndOf, type Owner } from '../endings.ts';

/** A mail server (RFC 5321) that accepts mail, or refuses each recipient with a code. */
export interface SmtpServer {
  readonly url: string;
  /** The accepted emails, with headers. */
  readonly accepted: string[];
  /** Responses by command, such as `{ RCPT: '451 Try again later' }`, in place of success. */
  refusals: Readonly<Record<string, string>>;
}

/** Starts a mail server on a loopback address, which ends with `owner`. */
export async function startSmtpServer(owner: Owner): Promise<SmtpServer> {
  const accepted: string[] = [];
  const server = createServer((socket) => {
    let pending = '';
    let isInData = false;
    socket.on('error', () => {});
    socket.write('220 mail.example ESMTP\r\n');
    const respondTo = (line: string) => {
      const command = line.split(/[ :]/)[0]?.toUpperCase() ?? '';
      isInData = command === 'DATA' && smtp.refusals['DATA'] === undefined;
      socket.write(`${smtp.refusals[command] ?? (isInData ? '354 Go on' : '250 OK')}\r\n`);
    };
    socket.on('data', (bytes) => {
      pending += bytes.toString();
      for (;;) {
        const end = isInData ? '\r\n.\r\n' : '\r\n';
        const index = pending.indexOf(end);
        if (index === -1) return;
        const text = pending.slice(0, index);
        pending = pending.slice(index + end.length);
        if (!isInData) respondTo(text);
        else {
          isInData = false;
          accepted.push(text);
          socket.write('250 OK\r\n');
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOf(owner, () => server.close());
  const { port } = server.address() as AddressInfo;
  const smtp: SmtpServer = { url: `smtp://127.0.0.1:${port}`, accepted, refusals: {} };
  return smtp;
}
