import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import { startDirectory, type Directory } from '../../tests/support/sso/directory.ts';
import { startDnsServer } from '../../tests/support/network/dns-server.ts';
import { send, signIn } from './account.ts';
import { startAtrium } from './atrium-server.ts';
import { makeTemporaryDirectory } from './leftovers.ts';
import type { Target } from './process-usage.ts';
import { processorTimeUs } from './process-usage.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatCount } from '../table.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const domain = 'people.example';
/** The number of browsers that sign in at the same time. */
const browsers = 8;
/** The goal for a sign-in, without the directory's own work. */
const atMostMs = 5;

interface Round {
  readonly name: string;
  readonly signInsPerSecond: number;
  readonly latencyMs: number;
  /** The server's processor time per sign-in; undefined if the system does not report it. */
  readonly processorMs: number | undefined;
}

/**
 * Measures complete sign-ins through a directory: the email, the redirect, the directory's pages, the callback and
 * the session. The directory runs in this process, so that its work is not the server's.
 */
export async function measureSignIns({ isQuick }: Bench): Promise<Section> {
  const people = isQuick ? 16 : 400;
  const directory = await startDirectory({ tenantId });
  const dns = await startDnsServer();
  const server = await startAtrium(makeTemporaryDirectory(), {
    ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
    ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
    ATRIUM_DNS_SERVERS: dns.address,
  });
  await connect(server, directory, dns.publish);
  const names = Array.from({ length: people }, (_, index) => `person.${index}`);
  // Compiling and caching happen once, and are not part of a sign-in.
  await signInAll(server, directory, 'warm-up', names.slice(0, browsers));
  const rounds = [
    await signInAll(server, directory, 'new people', names.slice(browsers)),
    await signInAll(server, directory, 'people who come back', names),
  ];
  await server.stop();
  await Promise.all([directory.stop(), dns.stop()]);
  return {
    title: `Sign-ins through a directory: ${browsers} browsers; the directory, in this process, sets the pace`,
    rows: rounds.map(({ name, signInsPerSecond, latencyMs, processorMs }) => ({
      'sign-in': name,
      'sign-ins/s': formatCount(signInsPerSecond),
      'p50 ms': latencyMs.toFixed(0),
      ...(processorMs !== undefined && { 'CPU ms of the server': processorMs.toFixed(2) }),
    })),
    goals: rounds.flatMap(({ name, processorMs }) =>
      processorMs === undefined
        ? []
        : [
            {
              what: `CPU of the server for a sign-in, ${name}`,
              value: processorMs,
              unit: 'ms' as const,
              bound: { atMost: atMostMs },
            },
          ],
    ),
    details: rounds,
  };
}

/** Configures the organization of the first owner, and verifies its domain. */
async function connect(
  { origin }: Target,
  directory: Directory,
  publish: (name: string, text: string) => void,
): Promise<void> {
  const { cookie, organizationId } = await signIn(origin);
  const path = `/api/sso/orgs/${organizationId}`;
  const headers = { cookie, 'content-type': 'application/json' };
  const body = JSON.stringify({
    provider: 'idp_ad',
    clientId: directory.clientId,
    clientSecret: directory.clientSecret,
    tenantId,
    emailDomains: [domain],
    enabled: true,
  });
  await send(origin, {
    name: 'configure',
    method: 'POST',
    path: `${path}/config`,
    headers,
    body,
    status: 200,
  });
  const status = {
    name: 'status',
    method: 'GET',
    path: `${path}/status`,
    headers: { cookie },
    status: 200,
  } as const;
  // Sound because the contract describes the status, and the domain is not verified yet.
  const { redirectUri, domains } = (await send(origin, status)) as {
    redirectUri: string;
    domains: [{ record: { name: string; value: string } }];
  };
  directory.allowRedirect(redirectUri);
  publish(domains[0].record.name, domains[0].record.value);
  const verify = `${path}/domains/${domain}/verify`;
  await send(origin, { name: 'verify', method: 'POST', path: verify, headers: { cookie }, status: 200 });
}

/** Signs people in, several at once, and measures how long that takes and which part of it is the server's work. */
async function signInAll(
  server: Target,
  directory: Directory,
  name: string,
  names: readonly string[],
): Promise<Round> {
  for (const person of names) {
    const claims = { preferred_username: `${person}@${domain}`, name: person };
    directory.addPerson({ subject: person, claims });
  }
  const waiting = [...names];
  const latenciesMs: number[] = [];
  const browse = async () => {
    for (let person = waiting.shift(); person !== undefined; person = waiting.shift()) {
      const startedAt = performance.now();
      await signInPerson(server.origin, directory, person);
      latenciesMs.push(performance.now() - startedAt);
    }
  };
  const usedBefore = processorTimeUs(server.processId);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: browsers }, browse));
  const seconds = (performance.now() - startedAt) / 1000;
  const usedAfter = processorTimeUs(server.processId);
  const isTold = usedBefore !== undefined && usedAfter !== undefined;
  return {
    name,
    signInsPerSecond: names.length / seconds,
    latencyMs: median(latenciesMs),
    processorMs: isTold ? (usedAfter - usedBefore) / 1000 / names.length : undefined,
  };
}

/** Signs in like a browser. Throws unless that creates a session. */
async function signInPerson(origin: string, directory: Directory, person: string): Promise<void> {
  const asked = (await send(origin, {
    name: 'sign in by email',
    method: 'POST',
    path: '/api/sso/sign-in',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${person}@${domain}` }),
    status: 200,
  })) as { url: string };
  const start = await browseTo(origin, asked.url);
  const back = await directory.signIn(start.location, person);
  const done = await browseTo(origin, back, start.cookie);
  if (!done.cookie.startsWith('auth.session_token=')) throw new Error('The sign-in ended without a session.');
}

/** Requests a URL of the server that redirects. Returns the location and the cookie. */
async function browseTo(
  origin: string,
  address: string,
  cookie = '',
): Promise<{ location: string; cookie: string }> {
  const { pathname, search } = new URL(address);
  // `fetch` says that it isn't a navigation, which the server would refuse.
  const { statusCode, headers, body } = await request(`${origin}${pathname}${search}`, {
    headers: { cookie },
  });
  const text = await body.text();
  const { location, 'set-cookie': cookies = [] } = headers;
  if (typeof location !== 'string') throw new Error(`${pathname} returned status ${statusCode}: ${text}`);
  return { location, cookie: [cookies].flat()[0]?.split(';')[0] ?? '' };
}
