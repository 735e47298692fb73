import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { describeOnUsualEngine, startTestServer } from '../../../tests/support/server/test-server.ts';

type Line = Readonly<Record<string, unknown>>;

const linesOf = (log: readonly string[], message: string): Line[] =>
  log.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message);

/** Returns a line without what differs from run to run. */
function factsOf({ time, pid, hostname, durationMs, waitMs, ...facts }: Line): Line {
  assert.ok([time, pid, hostname].every((value) => value !== undefined));
  assert.ok(Number(durationMs) >= 0 && Number(waitMs) >= 0, `${String(durationMs)} ${String(waitMs)}`);
  return facts;
}

test('slow and failed queries are logged with ids, without SQL and values', async (context) => {
  const newsroom = await startNewsroom(context, 'SQLite', { ATRIUM_SLOW_QUERY_SECONDS: '1' });
  const { server, owner, organizationId, run, save } = newsroom;
  const parameters = [{ name: 'word', type: 'text' as const }];
  const canary = { parameters: { word: 'canary' } };
  const report = await save({
    query:
      "SELECT {{word}}, count(*) FROM range(300000000) WHERE hash(range) % 7 = 1 AND 'canary' = {{word}}",
    parameters,
  });
  // On a busy machine, the upload of the tables is slow, too.
  const findSlow = () =>
    linesOf(server.log, 'A query was slow').find(({ reportId }) => reportId === report.id);
  for (let round = 0; round < 3 && findSlow() === undefined; round += 1)
    await run(report, { ...canary, isForced: true });
  const ids = {
    organizationId,
    dataSourceId: report.dataSourceId,
    reportId: report.id,
    userIds: [owner.id],
  };
  assert.deepEqual(factsOf(findSlow() ?? assert.fail()), {
    level: 30,
    ...ids,
    rowCount: 1,
    outcome: 'ok',
    msg: 'A query was slow',
  });
  const broken = await save({ query: "SELECT error('canary' || {{word}})", parameters });
  for (let round = 0; round < 3; round += 1) assert.equal((await run(broken, canary)).status, 422);
  const failed = linesOf(server.log, 'A query failed');
  assert.deepEqual(failed.map(factsOf), [
    { level: 40, ...ids, reportId: broken.id, code: 'sql_error', msg: 'A query failed' },
  ]);
  const atInfo = server.log.filter((line) => !line.startsWith('{"level":20'));
  assert.doesNotMatch(atInfo.join(''), /canary/);
});

describeOnUsualEngine('a failed sign-in', (engine) => {
  test('is logged with its reason and address, and the id of the account if it exists', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const signIn = (email: string) =>
      server.call('POST /api/auth/sign-in/email', { body: { email, password: 'canary' } });
    await signIn(ada.email);
    await signIn('nobody@example.com');
    for (let count = 0; count < 10; count += 1) await signIn(ada.email);
    await server.app.close();
    const lines = linesOf(server.log, 'A sign-in failed').map(({ level, reason, userId, address }) => ({
      level,
      reason,
      userId,
      address,
    }));
    const address = '127.0.0.1';
    assert.deepEqual(lines, [
      { level: 40, reason: 'wrong_password', userId: ada.id, address },
      { level: 40, reason: 'wrong_password', userId: undefined, address },
      { level: 40, reason: 'too_many_attempts', userId: undefined, address },
    ]);
    const [repeated] = linesOf(server.log, 'Repeated: A sign-in failed');
    assert.equal(repeated?.['repeatedCount'], 9);
    assert.doesNotMatch(server.log.join(''), /canary|@example\.com/);
  });
});
