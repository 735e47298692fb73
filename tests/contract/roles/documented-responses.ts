import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import type { Route } from '#contract/route.ts';
import type { Answer } from '../../support/server/test-server.ts';

/** Returns the events of a stream as the JSON that the contract describes. */
const toEvents = (text: string): string[] =>
  [...text.matchAll(/^event: (.*)\nid: (.*)\ndata: (.*)\n\n/gm)].map(
    ([, event, id, data = '']) => `{"event":"${event}","id":"${id}","data":${data}}`,
  );

/** Asserts that the OpenAPI document describes a response: its status, and the code of its problem or its body. */
export function assertDocumented(
  document: { paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>> },
  route: Route,
  { status, headers, text, body }: Answer,
  what: string,
): void {
  const described = document.paths[route.path]?.[route.method.toLowerCase()]?.responses[status];
  assert.ok(described, `${what}: ${status} is not documented`);
  if (status >= 400) {
    assert.match(String(headers['content-type']), /^application\/problem\+json/, what);
    assert.ok(described.description.includes(`\`${body.code}\``), `${what}: ${body.code} is not documented`);
    return;
  }
  assert.equal(status, route.status, what);
  if (route.mediaType) {
    assert.equal(headers['content-type'], `${route.mediaType}; charset=utf-8`, what);
    assert.match(text, /\n$/, what);
    const texts = route.mediaType === 'text/event-stream' ? toEvents(text) : text.trimEnd().split('\n');
    assert.ok(texts.length > 0, what);
    for (const one of texts) assert.ok(Compile(route.reply ?? {}).Check(JSON.parse(one)), `${what}: ${one}`);
  } else if (route.reply) assert.ok(Compile(route.reply).Check(body), `${what}: ${text}`);
  else assert.equal(text, '', what);
}
