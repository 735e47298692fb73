import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseJson } from '../../../src/server/base/texts/json.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { temporaryDirectory, until } from '../server/server-process.ts';
import { databaseCertificate } from '../storage/tls-database.ts';
import { findFreePort } from './free-port.ts';

/** A proxy that runs with its configuration from docs/reverse-proxies.md. */
export interface ReverseProxy {
  readonly port: number;
  readonly plainPort: number;
}

export const reverseProxyNames = ['nginx', 'caddy', 'haproxy'] as const;
export type ReverseProxyName = (typeof reverseProxyNames)[number];

/** The host name of the certificate. */
const host = 'database.example';
export const proxiedUrl = `https://${host}`;
/** Not the address from which the proxies connect to the server, which it trusts. */
export const clientAddress = '127.0.0.2';

/** Returns why a proxy can't be tested on this machine, or undefined. */
export function whyUntestable(name: ReverseProxyName): string | undefined {
  if (process.platform !== 'linux') return `only Linux has the address ${clientAddress}`;
  return spawnSync(name, [name === 'caddy' ? 'version' : '-v']).error === undefined
    ? undefined
    : `${name} is not installed`;
}

/** Starts a proxy in front of servers. It ends with its owner. */
export async function startReverseProxy(
  owner: Owner,
  name: ReverseProxyName,
  serverUrls: readonly string[],
): Promise<ReverseProxy> {
  const directory = temporaryDirectory(owner);
  const ports = { port: await findFreePort(), plainPort: await findFreePort() };
  const addresses = serverUrls.map((url) => new URL(url).host);
  const { configuration, words } = setups[name]({ ...ports, addresses, directory });
  const file = join(directory, 'configuration');
  writeFileSync(file, configuration);
  const child = spawn(name, [...words, file], {
    env: { PATH: process.env['PATH'], HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const exited = once(child, 'exit');
  atEndOf(owner, async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await until(`${name} is ready`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended.\n${output}`);
    const response = await callThrough(ports, 'GET /api/health/live').catch(() => undefined);
    return response?.status === 200 || undefined;
  });
  return ports;
}

interface Place extends ReverseProxy {
  readonly addresses: readonly string[];
  readonly directory: string;
}

/** How each proxy runs in the foreground, without root's files and ports. */
const setups: Readonly<
  Record<ReverseProxyName, (place: Place) => { configuration: string; words: readonly string[] }>
> = {
  nginx: ({ port, plainPort, addresses, directory }) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${directory}/${kind};`,
    );
    const site = adapt('nginx', {
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
      'server 127.0.0.1:3000 ': addresses.map((address) => `server ${address} `).join('max_fails=0;\n'),
      '/etc/ssl/atrium.crt': databaseCertificate,
      '/etc/ssl/atrium.key': keyFile,
    });
    const configuration = [
      `daemon off; master_process off; pid ${directory}/pid; error_log stderr;`,
      `events {} http { access_log off; gzip on; ${temporary.join(' ')}`,
      site,
      '}',
    ].join('\n');
    return { configuration, words: ['-e', 'stderr', '-c'] };
  },
  caddy: ({ port, plainPort, addresses }) => {
    const site = adapt('caddy', {
      [`${host} {`]: `https://${host}:${port} {\nbind 127.0.0.1`,
      '# tls /etc/ssl/atrium.crt /etc/ssl/atrium.key ': `tls ${databaseCertificate} ${keyFile} `,
      '127.0.0.1:3000': addresses.join(' '),
    });
    const options = `admin off\ndefault_bind 127.0.0.1\nhttp_port ${plainPort}\nhttps_port ${port}`;
    return {
      configuration: `{\n${options}\n}\n${site}`,
      words: ['run', '--adapter', 'caddyfile', '--config'],
    };
  },
  haproxy: ({ port, plainPort, addresses, directory }) => {
    const pem = join(directory, 'atrium.pem');
    writeFileSync(pem, readFileSync(databaseCertificate, 'utf8') + readFileSync(keyFile, 'utf8'));
    const configuration = adapt('haproxy', {
      'bind :80': `bind 127.0.0.1:${plainPort}`,
      'bind :443 ': `bind 127.0.0.1:${port} `,
      '/etc/haproxy/atrium.pem': pem,
      'server atrium1 127.0.0.1:3000': addresses
        .map((address, index) => `server atrium${index} ${address}`)
        .join('\n'),
    });
    return { configuration, words: ['-db', '-f'] };
  },
};

const keyFile = databaseCertificate.replace(/crt$/, 'key');

/** Returns the guide's configuration for other ports, files and servers. */
function adapt(language: ReverseProxyName, replacements: Readonly<Record<string, string>>): string {
  const guide = readFileSync(new URL('../../../docs/reverse-proxies.md', import.meta.url), 'utf8');
  const [, block] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
  assert.ok(block, `the guide has no configuration for ${language}`);
  let configuration = block.replaceAll('atrium.example.com', host);
  for (const [from, to] of Object.entries(replacements)) {
    assert.equal(configuration.split(from).length, 2, `the guide does not contain “${from}” once`);
    configuration = configuration.replace(from, to);
  }
  return configuration;
}

interface ProxiedRequest {
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a file. */
  readonly body?: object | string;
}

/** Sends a request through a proxy from `clientAddress`, over a new connection. Resolves at the headers of the response. */
export async function openThrough(
  { port }: Pick<ReverseProxy, 'port'>,
  line: string,
  { cookie, headers = {}, body }: ProxiedRequest = {},
): Promise<IncomingMessage> {
  const [method, path] = line.split(' ');
  const sending = request({
    host: '127.0.0.1',
    port,
    localAddress: clientAddress,
    servername: host,
    ca: readFileSync(databaseCertificate),
    agent: false,
    method,
    path,
    headers: {
      host,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && {
        'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
      }),
      ...headers,
    },
  });
  sending.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return response;
}

/** The same, for a response with a JSON body. */
export async function callThrough(
  proxy: Pick<ReverseProxy, 'port'>,
  line: string,
  options?: ProxiedRequest,
): Promise<{
  readonly status: number | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare whole bodies, and reach into what they expect.
  readonly body: any;
  readonly headers: IncomingMessage['headers'];
}> {
  const response = await openThrough(proxy, line, options);
  const content = await text(response);
  return {
    status: response.statusCode,
    body: content === '' ? undefined : parseJson(content),
    headers: response.headers,
  };
}
