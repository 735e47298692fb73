import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { Route } from '#contract/route.ts';
import type { Request as TableRequest, World } from '../roles/requests/world.ts';
import { send } from '../roles/worlds.ts';
import type { ApiDocument, Schema } from '../routes/document.ts';

/** A call of an operation by the client: what was sent and what came back. */
export interface ClientCall {
  readonly route: Route;
  readonly init: object;
  readonly status: number;
  readonly data: unknown;
}

/** Sends a request of the table of roles through openapi-fetch, with its parameters in the types of the document. */
export async function callWithClient(
  document: ApiDocument,
  route: Route,
  world: World,
  request: TableRequest,
): Promise<ClientCall> {
  const url = new URL(request.line.split(' ')[1] ?? '', 'http://server.example');
  const parameters = document.paths[route.path]?.[route.method.toLowerCase()]?.parameters ?? [];
  const { headers = {}, body } = request;
  const given = {
    path: pathParameters(route.path, url.pathname),
    query: Object.fromEntries(url.searchParams),
    header: headers,
  };
  const params: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, schema } of parameters) {
    const value = given[place as keyof typeof given][name];
    if (value !== undefined) (params[place] ??= {})[name] = toTyped(document, schema, value);
  }
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
    ...(headers['content-type'] !== undefined && { headers: { 'content-type': headers['content-type'] } }),
    ...((route.mediaType ?? !route.reply) && { parseAs: 'text' }),
  };
  // The exact types are checked when the generated program is compiled.
  const client = createClient<Record<string, Record<Lowercase<Route['method']>, object>>>({
    baseUrl: url.origin,
    fetch: (sent) => respond(world, route, request, sent),
  });
  const { data, response } = await client.request(
    route.method.toLowerCase() as Lowercase<Route['method']>,
    route.path,
    { ...init, ...(route.upload && { bodySerializer: (content: string) => content }) } as never,
  );
  return { route, init, status: response.status, data };
}

/** Passes what the client sends on to the server, in the session of the world. */
async function respond(
  world: World,
  { mediaType, status: documented }: Route,
  { line, cookie, ids }: TableRequest,
  sent: Request,
): Promise<Response> {
  const { pathname, search } = new URL(sent.url);
  const body = await sent.text();
  const { status, headers, text } = await send(world, {
    // A redirect from the identity provider has parameters of the protocol, which the document doesn't list.
    line: documented === 302 ? line : `${sent.method} ${pathname}${search}`,
    ids,
    headers: { ...Object.fromEntries(sent.headers), ...(mediaType && { accept: mediaType }) },
    ...(cookie !== undefined && { cookie }),
    ...(body !== '' && { body }),
  });
  const list = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(status === 204 ? null : text, { status, headers: list });
}

function pathParameters(template: string, path: string): Record<string, string> {
  const parts = path.split('/');
  return Object.fromEntries(
    template.split('/').flatMap((part, index) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name === undefined ? [] : [[name, decodeURIComponent(parts[index] ?? '')]];
    }),
  );
}

function toTyped(document: ApiDocument, schema: Schema, value: string): unknown {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  const { type } = name === undefined ? schema : (document.components.schemas[name] ?? {});
  assert.ok(type, JSON.stringify(schema));
  if (type === 'integer') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}
