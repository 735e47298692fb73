import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  freshPlace,
  ownerSettings,
  runServerToEnd,
  send,
  signInOwner,
  startServerProcess,
} from '../support/server/server-process.ts';
import { s3Settings } from '../support/storage/s3/replicas.ts';
import { s3Credentials, startS3Server } from '../support/storage/s3/s3-server.ts';

test('a server stores and queries tables in a bucket, and locks the directory of its cache', async (context) => {
  const s3 = await startS3Server(context);
  const place = await freshPlace(context, 'PostgreSQL');
  const environment = { ...s3Settings(s3), ...s3Credentials, ...ownerSettings, ...place };
  const server = await startServerProcess(context, { environment });
  const account = await signInOwner(server);
  const sample = await send(account, `POST /api/organizations/${account.organizationId}/sample`, {
    body: {},
  });
  assert.equal(sample.status, 201, JSON.stringify(sample.body));
  const path = `/api/data-sources/${sample.body.dataSourceId}/tables/weather/preview`;
  assert.equal((await send(account, `GET ${path}`)).body.rows.length, 100);
  assert.equal(s3.requests.filter((line) => /^PUT \S+[.]duckdb/.test(line)).length, 5);
  const second = await runServerToEnd(context, { environment });
  assert.equal(second.code, 1);
  assert.match(second.output, /another server is running on .*give each server a directory of its own/s);
  assert.equal((await server.end('SIGINT')).code, 0);
});
