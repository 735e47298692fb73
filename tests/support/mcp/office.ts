import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { createToken } from '../credentials/tokens.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { startNewsroom, type Newsroom } from '../reports/newsroom.ts';
import type { Engine, Person } from '../server/test-server.ts';

/** The revisions of the protocol that a client of the SDK can speak, by how it begins. */
export const eras = ['legacy', { pin: '2026-07-28' }] as const;
export type Era = (typeof eras)[number];

/** A newsroom whose server listens, with clients of MCP. */
export interface McpOffice extends Newsroom {
  /** The address of the server, which differs from its public URL. */
  readonly origin: string;
  /** Connects the SDK's client with a token. */
  connect(token: string, era?: Era): Promise<Client>;
  /** Calls a tool with a token of a person, by default of the owner. */
  tool(name: string, input?: Readonly<Record<string, unknown>>, as?: Person): Promise<ToolOutcome>;
  /** Posts a body as it is. */
  post(body: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** What a tool has returned. */
export interface ToolOutcome {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare whole values, and reach into what they expect.
  readonly data: any;
  /** The problem, if it failed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the same.
  readonly problem: any;
  /** The text for the model. */
  readonly text: string;
}

export async function startMcpOffice(
  owner: Owner,
  engine: Engine,
  environment: Readonly<Record<string, string>> = {},
): Promise<McpOffice> {
  const newsroom = await startNewsroom(owner, engine, environment);
  const { server, organizationId } = newsroom;
  const { port: asked } = new URL(environment['ATRIUM_PUBLIC_URL'] ?? 'http://127.0.0.1:0');
  await server.app.listen({ host: '127.0.0.1', port: Number(asked) });
  const { port } = server.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const clients = new Map<string, Promise<Client>>();

  const connect = async (token: string, era: Era = 'legacy') => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
    const authProvider = { token: async () => token };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider }));
    atEndOf(owner, () => client.close());
    return client;
  };

  return {
    ...newsroom,
    origin,
    connect,
    async tool(name, input = {}, as = newsroom.owner) {
      const client = await clients.getOrInsertComputed(as.id, async () =>
        connect((await createToken(server, as, { organizationId, scopes: ['read', 'propose'] })).token),
      );
      return toOutcome(await client.callTool({ name, arguments: { ...input } }));
    },
    post: (body, headers = {}) =>
      fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      }),
  };
}

export function toOutcome(result: CallToolResult): ToolOutcome {
  const [block, ...others] = result.content;
  assert.deepEqual([block?.type, others], ['text', []]);
  const { text } = block as { text: string };
  const [, json = ''] = /<atrium-data>(.*)<\/atrium-data>$/.exec(text) ?? [];
  const shown = JSON.parse(json);
  if (result.isError === true) return { data: undefined, problem: shown.problem, text };
  const structured = result.structuredContent as { data: unknown };
  assert.deepEqual(shown, structured.data, 'both forms of a result are the same');
  return { data: structured.data, problem: undefined, text };
}

/** A message that calls a tool. */
export const callMessage = (name: string, input: object = {}, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } });

/** Saves a dashboard as the owner, and returns its ID. */
export async function saveBoard(
  { server, owner, organizationId }: Pick<McpOffice, 'server' | 'owner' | 'organizationId'>,
  widgets: readonly object[],
): Promise<string> {
  const body = { name: 'Board', description: 'For the desk', organizationId, widgets };
  const created = await server.call('POST /api/dashboards', { as: owner, body });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}
