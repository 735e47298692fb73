import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { editAtOnce } from '../../../../tests/support/dashboards/concurrent-edits.ts';
import { startEditing } from '../../../../tests/support/dashboards/editor.ts';
import { chosenSeed } from '../../../../tests/support/seeded-random.ts';
import { describeOnBothEngines, openTestDatabase } from '../../../../tests/support/server/test-server.ts';
import type { Database } from '../../storage/database.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';

describeOnBothEngines('one dashboard that 20 clients edit at once', (engine) => {
  test('contains all of their 2,000 acknowledged edits', async (context) => {
    const { server, ada, bob, path } = await startEditing(context, engine);
    const { merged } = await editAtOnce(
      (client, line, options) => server.call(line, { as: client % 2 === 0 ? ada : bob, ...options }),
      { path, clients: 20, edits: 2_000, seed: chosenSeed() },
    );
    assert.ok(merged > 500, `${merged} merged`);
  });
});

describe('one dashboard that 20 clients edit at once on a SERIALIZABLE PostgreSQL', () => {
  test('contains all of their 600 acknowledged edits: transactions that conflict are repeated', async (context) => {
    const place = await openTestDatabase('PostgreSQL');
    await place.database.close();
    const database = await openPostgres(place.databaseUrl ?? '', { isolation: 'serializable' });
    let writes = 0;
    let runs = 0;
    const counted: Database = {
      ...database,
      write(work) {
        writes += 1;
        return database.write((transaction) => {
          runs += 1;
          return work(transaction);
        });
      },
    };
    const opened = { ...place, database: counted };
    const { server, ada, bob, path } = await startEditing(context, 'PostgreSQL', opened);
    await editAtOnce(
      (client, line, options) => server.call(line, { as: client % 2 === 0 ? ada : bob, ...options }),
      { path, clients: 20, edits: 600, seed: chosenSeed() },
    );
    context.diagnostic(`${runs - writes} of ${writes} writes were repeated`);
    assert.ok(runs > writes, 'there was no conflict');
  });
});
