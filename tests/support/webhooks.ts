import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import {
  startTestServer,
  type Engine,
  type Person,
  type TestResponse,
  type TestServer,
} from './server/test-server.ts';
import type { NewWebhook } from '#contract/organizations/webhooks.ts';
import { createOutgoing, type Outgoing } from '../../src/server/outgoing/outgoing.ts';
import { createWebhookSender, type WebhookSender } from '../../src/server/webhooks/sender.ts';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks, and what it got. */
interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  respond: (response: ServerResponse, request: Received) => void;
}

/** An organization with webhooks. */
interface WebhookWorld {
  readonly server: TestServer;
  readonly owner: Person;
  readonly organizationId: string;
  /** The path of its webhooks. */
  readonly path: string;
  readonly receiver: Receiver;
  readonly sender: WebhookSender;
  /** Returns a sender as of another process, or one that reaches receivers in another way. */
  newSender(reach?: Pick<Outgoing, 'fetchShown'>): WebhookSender;
  /** Sends a request that succeeds, as the owner unless `as` says otherwise, and returns the body of the response. */
  call(line: string, body?: object, as?: Person): Promise<TestResponse['body']>;
  create(events?: readonly string[], url?: string): Promise<NewWebhook>;
  /** Creates a dashboard. */
  save(name: string): Promise<{ id: string }>;
  deliveries(id: string): Promise<TestResponse['body']>;
  listed(): Promise<TestResponse['body']>;
}

/** A receiver on the loopback interface, which responds with 204 unless a test sets another response. */
async function startReceiver(context: TestContext): Promise<Receiver> {
  const received: Received[] = [];
  const receiver = {
    url: '',
    port: 0,
    received,
    respond: (response: ServerResponse, _request: Received): void => void response.writeHead(204).end(),
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const got = { path: request.url ?? '', headers: request.headers, body };
      received.push(got);
      receiver.respond(response, got);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://127.0.0.1:${receiver.port}/hook`;
  return receiver;
}

/** An organization with a receiver and a sender, which sends when it is asked to. */
export async function openWebhooks(context: TestContext, engine: Engine): Promise<WebhookWorld> {
  const receiver = await startReceiver(context);
  const host = { host: '127.0.0.1', port: receiver.port };
  const server = await startTestServer(context, engine, {
    ATRIUM_WEBHOOK_PRIVATE_HOSTS: `${host.host}:${host.port}=*`,
  });
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}/webhooks`;
  const toReceiver = createOutgoing([host]);
  context.after(() => toReceiver.close());
  const newSender = (outgoing: Pick<Outgoing, 'fetchShown'> = toReceiver): WebhookSender => {
    const { database, clock, secretBox } = server;
    return createWebhookSender({ database, clock, secretBox, outgoing, onFailure: assert.ifError });
  };
  const call: WebhookWorld['call'] = async (line, body, as = owner) => {
    const send = (person: Person) => server.call(line, { as: person, ...(body && { body }) });
    const first = await send(as);
    // The session has expired.
    const response =
      first.status === 401 ? await send(await server.createSsoSession(as, organizationId)) : first;
    assert.ok(response.status < 300, `${line}: ${response.text}`);
    return response.body;
  };
  const create = (events: readonly string[] = everything, url = receiver.url) =>
    call(`POST ${path}`, { url, events });
  const save = (name: string) =>
    call('POST /api/dashboards', { name, organizationId }) as Promise<{ id: string }>;
  const deliveries = async (id: string) => (await call(`GET ${path}/${id}/deliveries`)).items;
  const listed = async () => (await call(`GET ${path}`)).items;
  const sender = newSender();
  return {
    server,
    owner,
    organizationId,
    path,
    receiver,
    newSender,
    sender,
    call,
    create,
    save,
    deliveries,
    listed,
  };
}

/** Every event that a webhook can be sent. */
export const everything = [
  'dashboard.created',
  'dashboard.changed',
  'dashboard.deleted',
  'member.joined',
  'sso.failing',
];

/**
 * Verifies a request as the specification of Standard Webhooks says, from its text: the signed content is
 * `{webhook-id}.{webhook-timestamp}.{body}`, the key is the base64 after `whsec_`, and one of the signatures, which are
 * separated by spaces, must match.
 */
export function verify(secret: string, { headers, body }: Received, nowMs: number): boolean {
  const [id, seconds, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  assert.ok(Math.abs(nowMs / 1_000 - Number(seconds)) <= 300, 'the timestamp is not within 5 minutes');
  const [prefix, key = ''] = secret.split('_', 2);
  assert.equal(prefix, 'whsec');
  const bytes = Buffer.from(key, 'base64');
  assert.ok(bytes.length >= 24 && bytes.length <= 64);
  const expected = createHmac('sha256', bytes).update(`${id}.${seconds}.${body}`, 'utf8').digest();
  return (signatures ?? '').split(' ').some((each) => {
    const [version, value = ''] = each.split(',', 2);
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Returns the events of requests. */
export const bodiesOf = (received: readonly Received[]): SentEvent[] =>
  received.map(({ body }) => JSON.parse(body) as SentEvent);

interface SentEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}
