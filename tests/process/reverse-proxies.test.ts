import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { createGunzip } from 'node:zlib';
import {
  callThrough,
  clientAddress,
  openThrough,
  proxiedUrl,
  reverseProxyNames,
  startReverseProxy,
  whyUntestable,
} from '../support/network/reverse-proxy.ts';
import {
  cookieOf,
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  until,
  type Account,
  type ServerProcess,
} from '../support/server/server-process.ts';
import { countRunningQueries, metricsSettings } from '../support/metrics.ts';
import { endAll, type Owner } from '../support/endings.ts';

/** A dashboard with a report that is ready at once, and one that takes longer than any test. */
interface Office extends Account {
  readonly server: ServerProcess;
  /** `/api/dashboards/…` */
  readonly dashboard: string;
  /** `/api/data-sources/…` */
  readonly source: string;
}

describe('with the configuration of the guide', () => {
  let office: Office;
  const endings: (() => unknown)[] = [];
  before(async () => {
    if (reverseProxyNames.every((name) => whyUntestable(name) !== undefined)) return;
    office = await startOffice({ after: (work) => void endings.push(work as () => unknown) });
  });
  after(() => endAll(endings));

  for (const name of reverseProxyNames) {
    const options = { skip: whyUntestable(name) ?? false };
    test(`${name} passes on addresses, uploads, streams and disconnects`, options, async (context) => {
      const { server, dashboard, source } = office;
      const proxy = await startReverseProxy(context, name, [server.url]);

      const { ATRIUM_OWNER_EMAIL: email, ATRIUM_OWNER_PASSWORD: password } = ownerSettings;
      const signedIn = await callThrough(proxy, 'POST /api/auth/sign-in/email', {
        body: { email, password },
        headers: { origin: proxiedUrl, 'x-forwarded-for': '203.0.113.7' },
      });
      assert.equal(signedIn.status, 200);
      const cookie = cookieOf(signedIn.headers);
      const { body } = await callThrough(proxy, 'GET /api/auth/get-session', { cookie });
      assert.equal(body.session.address, clientAddress);

      // More than the megabyte that nginx accepts by default.
      const file = `n,word\n${'1,something\n'.repeat(200_000)}`;
      const upload = await callThrough(proxy, `PUT ${source}/tables/${name}`, { cookie, body: file });
      assert.deepEqual([upload.status, upload.body.rowCount], [200, 200_000]);

      const headers = { 'accept-encoding': 'gzip' };
      const results = await openThrough(proxy, `GET ${dashboard}/results`, { cookie, headers });
      assert.equal(results.headers['content-encoding'], 'gzip');
      // The other report doesn't finish: nothing would arrive through a proxy that collects the response.
      await findLine(results.pipe(createGunzip()), /"reportName":"Fast"/);
      results.destroy();

      const events = await openThrough(proxy, `GET ${dashboard}/events`, { cookie });
      const saved = findLine(events, /^event: saved$/);
      await callThrough(proxy, `PATCH ${dashboard}`, {
        cookie,
        headers: { 'if-match': '*' },
        body: { name: `Sales through ${name}` },
      });
      await saved;
      events.destroy();

      await until(
        'the query of the closed stream is cancelled',
        async () => (await countRunningQueries(server)) === 0 || undefined,
      );
    });
  }
});

/** Reads a stream up to a line that matches. */
async function findLine(stream: Readable, pattern: RegExp): Promise<void> {
  for await (const line of createInterface(stream)) if (pattern.test(line)) return;
  assert.fail(`no line matches ${pattern}`);
}

async function startOffice(owner: Owner): Promise<Office> {
  const place = await freshPlace(owner, 'SQLite');
  const environment = {
    ...place,
    ...ownerSettings,
    ...metricsSettings,
    ATRIUM_PUBLIC_URL: proxiedUrl,
    ATRIUM_TRUSTED_PROXIES: '127.0.0.1',
  };
  const server = await startServerProcess(owner, { environment });
  const account = await signInOwner(server);
  const { organizationId } = account;
  const create = async (path: string, body: object): Promise<string> => {
    const created = await send(account, `POST ${path}`, { body });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    return created.body.id;
  };
  const dataSourceId = await create(`/api/organizations/${organizationId}/data-sources`, {
    name: 'Files',
    kind: 'files',
  });
  const report = (name: string, query: string) =>
    create('/api/reports', { organizationId, dataSourceId, name, query, visualization: { kind: 'table' } });
  const widgets = [
    { reportId: await report('Slow', 'select count(*) from range(1000000000000) where hash(range) % 7 = 1') },
    { reportId: await report('Fast', 'select 1 as n') },
  ];
  const dashboardId = await create('/api/dashboards', { name: 'Sales', organizationId, widgets });
  return {
    ...account,
    server,
    dashboard: `/api/dashboards/${dashboardId}`,
    source: `/api/data-sources/${dataSourceId}`,
  };
}
