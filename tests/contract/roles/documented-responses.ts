import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import type { Route } from '#contract/route.ts';
import type { TestResponse } from '../../support/server/test-server.ts';
import { resolve, type ApiDocument, type Schema } from '../routes/document.ts';

/** Returns the events of a stream as the JSON that the contract describes. */
const toEvents = (text: string): string[] =>
  [...text.matchAll(/^event: (.*)\nid: (.*)\ndata: (.*)\n\n/gm)].map(
    ([, event, id, data = '']) => `{"event":"${event}","id":"${id}","data":${data}}`,
  );

/** Asserts that the OpenAPI document describes a response: its status, and the code of its problem or its body. */
export function assertDocumented(
  document: ApiDocument,
  route: Route,
  { status, headers, text, body }: TestResponse,
  what: string,
): void {
  // Every operation of a session can refuse a token by its scopes, which the document says once for all.
  if (status === 403 && body.code === 'insufficient_scope')
    return assert.ok(document.info.description.includes('403 (`insufficient_scope`)'), what);
  const responses = document.paths[route.path]?.[route.method.toLowerCase()]?.responses;
  const found = responses?.[status] ?? responses?.[`${String(status)[0]}XX`];
  assert.ok(found, `${what}: ${status} is not documented`);
  const { description, content } = resolve(document, found);
  const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? [];
  if (status >= 400) {
    assert.ok(description.includes(`\`${body.code}\``), `${what}: ${body.code} is not documented`);
  } else assert.equal(status, route.status, what);
  if (content === undefined) return assert.equal(text, '', what);
  if (type === 'text/csv')
    return assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present', what);
  if (route.reply === undefined && status < 400)
    return assert.ok(route.alternatives?.includes(String(headers['content-type'])), what);
  assert.equal(headers['content-type'], `${type}; charset=utf-8`, what);
  assert.ok(schema, what);
  if (route.mediaType === undefined || status >= 400) return assertMatches(document, schema, body, what);
  assert.match(text, /\n$/, what);
  const texts = route.mediaType === 'text/event-stream' ? toEvents(text) : text.trimEnd().split('\n');
  assert.ok(texts.length > 0, what);
  assertMatches(
    document,
    schema,
    texts.map((one) => JSON.parse(one) as unknown),
    what,
  );
}

const validators = new WeakMap<Schema, ReturnType<typeof Compile>>();

function assertMatches(document: ApiDocument, schema: Schema, value: unknown, what: string): void {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile({ components: document.components, ...schema });
    validators.set(schema, validator);
  }
  assert.ok(validator.Check(value), `${what}: ${JSON.stringify([validator.Errors(value), value])}`);
}
