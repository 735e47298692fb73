import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
} from '../support/server/server-process.ts';

/** Mounts a directory read-only for one program: permissions would not stop a test that runs as root. */
const readOnly = (directory: string): string[] => [
  'bwrap',
  '--die-with-parent',
  '--dev-bind',
  '/',
  '/',
  '--ro-bind',
  directory,
  directory,
  '--',
];

const works = spawnSync('bwrap', [...readOnly('/usr').slice(1), 'true']).status === 0;
const skip = works ? false : 'bubblewrap is not installed';

test(
  'a server whose uploaded tables are read-only runs reports, and refuses uploads in words',
  { skip },
  async (context) => {
    const environment = { ...(await freshPlace(context, 'SQLite')), ...ownerSettings };
    const upload = async ({ url, cookie }: { url: string; cookie: string }, path: string) =>
      fetch(`${url}${path}/tables/sales`, {
        method: 'PUT',
        headers: { cookie, 'content-type': 'text/csv', origin: 'https://atrium.example' },
        body: 'amount\n1\n2\n',
      });
    const first = await startServerProcess(context, { environment });
    const before = await signInOwner(first);
    const { organizationId } = before;
    const post = async (path: string, body: object) => {
      const created = await send(before, `POST ${path}`, { body });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      return created.body.id as string;
    };
    const dataSourceId = await post(`/api/organizations/${organizationId}/data-sources`, {
      name: 'Files',
      kind: 'files',
    });
    const path = `/api/data-sources/${dataSourceId}`;
    assert.equal((await upload(before, path)).status, 200);
    const query = 'SELECT sum(amount) AS total FROM sales';
    const reportId = await post('/api/reports', { organizationId, name: 'Sales', dataSourceId, query });
    assert.equal((await first.end('SIGTERM')).code, 0);

    const through = readOnly(join(environment.ATRIUM_DATA_DIR, 'sources'));
    const server = await startServerProcess(context, { environment, through });
    const account = await signInOwner(server);
    const run = await send(account, `POST /api/reports/${reportId}/run`, { body: {} });
    assert.deepEqual([run.status, run.body.rows], [200, [[3]]], JSON.stringify(run.body));
    const refused = await upload(account, path);
    const { code, detail } = (await refused.json()) as { code: string; detail: string };
    assert.deepEqual(
      [refused.status, code, detail],
      [503, 'unavailable', 'The disk of the server is read-only. Ask the operator to make it writable.'],
    );
    // The operator finds the cause in the log, and nothing else fails.
    assert.match(server.output(), /EROFS/);
    const preview = await send(account, `GET ${path}/tables/sales/preview`);
    assert.deepEqual([preview.status, preview.body.rows], [200, [[1], [2]]]);
    assert.equal((await send(account, 'GET /api/health/ready')).status, 200);
  },
);
