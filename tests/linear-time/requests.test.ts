import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchThreadCpuTime } from '../support/cpu-time.ts';
import { startTestServer } from '../support/server/test-server.ts';

// Far more than the requests need, and far less than the seconds that they would take if they were quadratic.
const withinMs = 1_000;
const longName = `${'a'.repeat(60_000)}\n`;
const token = 'a'.repeat(43);
const account = { email: 'somebody@example.com', password: 'a long enough password' };

test('a name that is far too long is rejected at once, because of its length', async (t) => {
  const server = await startTestServer(t, 'SQLite');
  const person = await server.createPerson();
  const requests = [
    { line: 'POST /api/invitations/sign-up', body: { token, name: longName, password: account.password } },
    { line: 'POST /api/set-up', body: { token, ...account, name: longName, organization: 'Organization' } },
    { line: 'POST /api/organizations', as: person, body: { name: longName } },
  ];
  for (const { line, ...options } of requests) {
    const elapsedMs = watchThreadCpuTime();
    const { status, body } = await server.call(line, options);
    const durationMs = elapsedMs();
    assert.equal(status, 400, line);
    for (const { code, pointer } of body.errors) assert.equal(code, 'maxLength', `${line} ${pointer}`);
    assert.ok(durationMs < withinMs, `${line} took ${durationMs} ms`);
  }
});

test('a search of dashboards does not wait while descriptions of combining marks are indexed', async (t) => {
  const server = await startTestServer(t, 'SQLite');
  const [author, searcher] = [await server.createPerson(), await server.createPerson()];
  const orgId = await server.createOrganization(author);
  const elsewhere = await server.createOrganization(searcher);
  const description = '\u0301\u0323'.repeat(5_000);
  const documents = Array.from({ length: 60 }, (_, index) => ({
    format: 'atrium.dashboard/1',
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: 'Marks',
    description,
    widgets: [],
  }));
  const elapsedMs = watchThreadCpuTime();
  const imported = await server.call(`POST /api/organizations/${orgId}/dashboards/import`, {
    as: author,
    body: { documents },
  });
  assert.equal(imported.status, 200, imported.text);
  const found = await server.call(`GET /api/dashboards?organizationId=${elsewhere}&q=sales`, {
    as: searcher,
  });
  const durationMs = elapsedMs();
  assert.equal(found.status, 200, found.text);
  assert.ok(durationMs < 2 * withinMs, `the import and the search took ${durationMs} ms`);
});
