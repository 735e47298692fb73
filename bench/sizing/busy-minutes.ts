import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { owner } from '../server/atrium-server.ts';
import type { Person } from './people.ts';

/** What people do in the busiest minutes of the day, on average per minute. */
const busyMinute = {
  /** The part of all people who use Atrium within a minute. */
  active: 0.1,
  /** Of each active person. Opening reads the session, the dashboard and the results of its nine reports. */
  openings: 1,
  /** The part of the openings that query the data again instead of using cached results. */
  reloaded: 0.05,
  lists: 0.5,
  /** Dashboards that are created, by an editor. */
  writes: 0.05,
  /** Of all people, so that each of them signs in within an hour and a half. With a password, which costs the most. */
  signIns: 0.011,
} as const;

interface Office {
  readonly origin: string;
  readonly people: readonly Person[];
  readonly organizationId: string;
  readonly dashboardId: string;
}

/** The times in milliseconds that requests of each kind took. */
export type Times = Readonly<Record<keyof typeof actions, readonly number[]>>;

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly cookie?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Send = (sent: Sent) => Promise<void>;

const actions = {
  open: async (send: Send, { dashboardId }: Office, { cookie }: Person) => {
    await send({ path: '/api/auth/get-session', cookie });
    await send({ path: `/api/dashboards/${dashboardId}`, cookie });
    const headers = Math.random() < busyMinute.reloaded ? { 'cache-control': 'no-cache' } : {};
    await send({ path: `/api/dashboards/${dashboardId}/results`, cookie, headers });
  },
  list: (send: Send, _office: Office, { cookie }: Person) =>
    send({ path: '/api/dashboards?limit=20', cookie }),
  write: (send: Send, { people, organizationId }: Office) =>
    send({
      method: 'POST',
      path: '/api/dashboards',
      cookie: people[0]?.cookie ?? '',
      body: { name: 'Sales', organizationId, widgets: [{ reportId: 'revenue' }] },
    }),
  signIn: (send: Send, _office: Office, { email }: Person) =>
    send({ method: 'POST', path: '/api/auth/sign-in/email', body: { email, password: owner.password } }),
};

/** Sends what people do in busy minutes, at random times that don't depend on how fast the server is. */
export async function sendBusyMinutes(office: Office, seconds: number): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 500 });
  const times: Record<keyof Times, number[]> = { open: [], list: [], write: [], signIn: [] };
  const count = office.people.length;
  const active = count * busyMinute.active;
  const perMinute: Record<keyof Times, number> = {
    open: active * busyMinute.openings,
    list: active * busyMinute.lists,
    write: active * busyMinute.writes,
    signIn: count * busyMinute.signIns,
  };
  const send = sender(office.origin, agent);
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  const planned = Object.entries(perMinute)
    .flatMap(([kind, rate]) =>
      Array.from({ length: Math.max(5, Math.round((rate * seconds) / 60)) }, () => ({
        // Sound because the keys are those of `perMinute`.
        kind: kind as keyof Times,
        atMs: Math.random() * seconds * 1_000,
      })),
    )
    .toSorted((one, other) => one.atMs - other.atMs);
  for (const { kind, atMs } of planned) {
    await delay(Math.max(0, startedAt + atMs - performance.now()));
    const person = office.people[Math.floor(Math.random() * count)];
    if (person === undefined) continue;
    // Measured from when it was due, so that a server that is behind is not measured as fast.
    const dueAt = startedAt + atMs;
    running.push(
      actions[kind](send, office, person).then(() => {
        times[kind].push(performance.now() - dueAt);
      }),
    );
  }
  await Promise.all(running);
  agent.destroy();
  return times;
}

const sender =
  (origin: string, agent: Agent): Send =>
  ({ method = 'GET', path, cookie, body, headers = {} }) =>
    new Promise((resolve, reject) => {
      const sent = request(`${origin}${path}`, {
        method,
        agent,
        headers: {
          ...headers,
          ...(cookie !== undefined && { cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const { statusCode = 0 } = response;
        response
          .on('error', reject)
          .on('end', () =>
            statusCode < 300 ? resolve() : reject(new Error(`${path} returned status ${statusCode}.`)),
          );
        response.resume();
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
