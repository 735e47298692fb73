import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { createServiceAccount, createToken } from '../../../tests/support/credentials/tokens.ts';
import { callMessage, eras, startMcpOffice, toOutcome } from '../../../tests/support/mcp/office.ts';
import { describeOnUsualEngine } from '../../../tests/support/server/test-server.ts';

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });

async function startOffice(...start: Parameters<typeof startMcpOffice>) {
  const office = await startMcpOffice(...start);
  const { server, owner, organizationId } = office;
  const created = await createToken(server, owner, { organizationId });
  const { token, id: tokenId } = created;
  const authorization = `Bearer ${token}`;
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    office.post(body, { authorization, ...headers });
  return { ...office, token, tokenId, authorization, send: post };
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into what they expect.
const jsonOf = async (response: Response): Promise<any> => response.json();

const metadata = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"';

describeOnUsualEngine('/mcp', (engine) => {
  test('takes tokens of people and of service accounts, while they are valid and may read', async (context) => {
    const office = await startOffice(context, engine);
    const { server, owner, organizationId, token, tokenId, send } = office;
    assert.equal((await send(listTools)).status, 200);
    const account = await createServiceAccount(server, owner, { organizationId });
    const client = await office.connect(account.token);
    const { data } = toOutcome(await client.callTool({ name: 'list_data_sources', arguments: {} }));
    assert.deepEqual([data.items.length, data.items[0].mayQuery], [1, false], 'a viewer');

    const narrow = await createToken(server, owner, { organizationId, scopes: ['administer'] });
    const refused = await office.post(listTools, { authorization: `Bearer ${narrow.token}` });
    assert.equal(refused.status, 403);
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer realm="Atrium", error="insufficient_scope", scope="read", ${metadata}`,
    );
    assert.equal((await jsonOf(refused)).code, 'insufficient_scope');

    for (const era of eras) await office.connect(token, era);
    await server.call(`DELETE /api/auth/tokens/${tokenId}`, { as: owner });
    const revoked = await send(listTools);
    assert.equal(revoked.status, 401);
    assert.equal(
      revoked.headers.get('www-authenticate'),
      `Bearer realm="Atrium", error="invalid_token", ${metadata}`,
    );
    for (const era of eras) await assert.rejects(office.connect(token, era), UnauthorizedError);
  });

  test('takes no cookie, no other credential, and no token elsewhere than in its header', async (context) => {
    const { server, owner, authorization, token, post } = await startOffice(context, engine);
    const cookie = `auth.session_token=${owner.token}`;
    const cases: readonly Readonly<Record<string, string>>[] = [
      {},
      { cookie },
      { authorization: '' },
      { authorization: `Basic ${btoa(`x:${token}`)}` },
      { authorization: token },
      { 'x-api-key': token },
      { cookie: `auth.session_token=${token}` },
      { authorization: `Bearer ${owner.token}` },
      { authorization: 'Bearer ', cookie },
      { authorization: `${authorization}x`, cookie },
      { authorization: `Bearer ${'x'.repeat(5_000)}` },
    ];
    for (const headers of cases) {
      const response = await post(listTools, headers);
      assert.equal(response.status, 401, JSON.stringify(headers));
      assert.match(
        response.headers.get('www-authenticate') ?? '',
        /^Bearer realm="Atrium".*resource_metadata=/,
      );
    }
    const inQuery = await server.call(`POST /mcp?access_token=${token}`, { body: {} });
    assert.equal(inQuery.status, 401);
  });

  test('refuses pages of other sites', async (context) => {
    const { send } = await startOffice(context, engine);
    const cases: readonly [headers: Record<string, string>, status: number][] = [
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: 'null' }, 403],
      [{ origin: 'http://localhost:3000.evil.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'http://localhost:3000' }, 200],
    ];
    for (const [headers, status] of cases)
      assert.equal((await send(listTools, headers)).status, status, JSON.stringify(headers));
  });

  test('has only POST, and needs no session', async (context) => {
    const { origin, authorization, send } = await startOffice(context, engine);
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
      const response = await fetch(`${origin}/mcp`, { method, headers: { authorization } });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST, OPTIONS'], method);
    }
    assert.equal((await fetch(`${origin}/mcp`, { method: 'OPTIONS' })).status, 204);
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    const response = await send(initialize);
    assert.equal(response.headers.get('mcp-session-id'), null);
    const { result } = await jsonOf(response);
    assert.equal(result.protocolVersion, '2025-06-18');
    assert.deepEqual(result.capabilities, { tools: {} });
    const notified = await send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    assert.deepEqual([notified.status, await notified.text()], [202, '']);
    const unknown = await send(listTools, { 'mcp-session-id': 'of-another-replica' });
    assert.equal(unknown.status, 200);
  });

  test('responds with JSON, or with events to clients that prefer them, and compresses as asked', async (context) => {
    const { send } = await startOffice(context, engine);
    const json = await send(listTools);
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(json.headers.has('content-encoding'), 'Node asks for compression');
    const { result } = await jsonOf(json);
    for (const accept of [
      'text/event-stream, application/json',
      'application/json;q=0.5, text/event-stream',
    ]) {
      const events = await send(listTools, { accept });
      assert.match(events.headers.get('content-type') ?? '', /^text\/event-stream/);
      assert.equal(events.headers.get('content-encoding'), null);
      const [, data = ''] = /^data: (.*)$/m.exec(await events.text()) ?? [];
      assert.deepEqual(JSON.parse(data).result, result);
    }
    assert.equal((await send(listTools, { accept: 'text/html' })).status, 406);
  });

  test('refuses bodies that are too large, too deep or not a message', async (context) => {
    const { send } = await startOffice(context, engine);
    const statusOf = async (body: string, headers = {}) => (await send(body, headers)).status;
    assert.equal(await statusOf(callMessage('search', { words: 'x'.repeat(1024 * 1024) })), 413);
    assert.equal(await statusOf(listTools, { 'content-type': 'text/plain' }), 415);
    assert.equal(await statusOf(listTools, { 'content-encoding': 'gzip' }), 415);
    const errors: readonly [body: string, code: number][] = [
      ['{', -32_700],
      ['['.repeat(100_000), -32_700],
      [callMessage('search').replace('{}', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`), -32_700],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', -32_600],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"a":1}}}', -32_600],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"\\ud800"}}', -32_600],
      [`[${listTools},${listTools}]`, -32_600],
      ['[]', -32_600],
      ['{}', -32_600],
      ['"text"', -32_600],
      ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', -32_600],
    ];
    for (const [body, code] of errors) {
      const response = await send(body);
      assert.equal(response.status, 400, body.slice(0, 80));
      assert.equal((await jsonOf(response)).error.code, code, body.slice(0, 80));
    }
    const method = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/list' }));
    assert.equal((await jsonOf(method)).error.code, -32_601);
    const version = await send(listTools, { 'mcp-protocol-version': '1999-01-01' });
    assert.equal(version.status, 400);
  });

  test('names unknown tools and every fault of arguments', async (context) => {
    const { send, tool } = await startOffice(context, engine);
    const { error } = await jsonOf(await send(callMessage('delete_dashboard')));
    assert.deepEqual([error.code, error.message], [-32_602, 'There is no tool "delete_dashboard".']);
    const { problem } = await tool('run_report', {
      maxRows: 0,
      reportID: 'x',
      parameters: [],
      isForced: 'yes',
    });
    assert.equal(problem.code, 'invalid_body');
    assert.deepEqual(
      problem.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`).toSorted(),
      ['/isForced type', '/maxRows minimum', '/parameters type', '/reportID unknown', '/reportId required'],
    );
    const values = { reportId: (await tool('search', { kinds: ['report'] })).data.items[0]?.id ?? 'none' };
    assert.equal((await tool('run_report', values)).problem.code, 'not_found');
  });

  test('counts requests like the API, and logs them without what was asked', async (context) => {
    const office = await startOffice(context, engine, {
      ATRIUM_API_REQUESTS_PER_MINUTE: '3',
      ATRIUM_LOG_REQUESTS: 'true',
      ATRIUM_METRICS_TOKEN: 'a-token-for-metrics-of-32-characters',
    });
    const { server, send, authorization, token } = office;
    const first = await send(callMessage('search', { words: 'canary-words' }));
    assert.equal(first.headers.get('ratelimit'), '"default";r=2;t=60');
    assert.match(first.headers.get('ratelimit-policy') ?? '', /^"default";q=3;w=60/);
    await server.call('GET /api/dashboards', { headers: { authorization } });
    await send(listTools);
    const refused = await send(listTools);
    assert.equal(refused.status, 429);
    assert.ok(refused.headers.has('retry-after'));
    server.advance(60_000);
    assert.equal((await send(listTools)).status, 200);
    const lines = server.log.filter((line) => line.includes('"route":"/mcp"'));
    assert.equal(lines.length, 4);
    assert.match(lines[0] ?? '', /"status":200.*"userId":"/);
    const log = server.log.join('\n');
    assert.ok(!log.includes('canary-words') && !log.includes(token));
    const metrics = await server.call('GET /metrics', {
      headers: { authorization: 'Bearer a-token-for-metrics-of-32-characters' },
    });
    assert.match(metrics.text, /http_requests_total\{[^}]*route="\/mcp"[^}]*\} \d/);
  });

  test('stops the query of a client that goes away', async (context) => {
    const { id: dataSourceId, run, save, origin, authorization } = await startOffice(context, engine);
    // More than a source runs at once: if one continued, the last one couldn't run.
    for (let count = 0; count < 6; count += 1) {
      const query = `SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c WHERE ${count} = ${count}`;
      const gone = new AbortController();
      const waiting = fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept:
            count % 2 === 0 ? 'application/json, text/event-stream' : 'text/event-stream, application/json',
        },
        body: callMessage('run_query', { dataSourceId, query }),
        signal: gone.signal,
      });
      // The stream begins at once, a response in JSON with the result.
      if (count % 2 === 1) await waiting;
      else await run(await save({}));
      gone.abort();
      await waiting.catch(() => undefined);
    }
    assert.deepEqual((await run(await save({}))).body.rows, [[1]]);
  });
});
