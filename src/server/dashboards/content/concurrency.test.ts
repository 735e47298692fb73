import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { editAtOnce } from '../../../../tests/support/dashboards/concurrent-edits.ts';
import { startEditing } from '../../../../tests/support/dashboards/editor.ts';
import { roundsOr } from '../../../../tests/support/rounds.ts';
import { chosenSeed } from '../../../../tests/support/seeded-random.ts';
import {
  describeOnBothEngines,
  openTestDatabase,
  type Engine,
  type TestDatabase,
} from '../../../../tests/support/server/test-server.ts';
import type { Database } from '../../storage/database.ts';
import { requestDeadlines } from '../../storage/postgres/connections.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';

const edits = roundsOr(600);

/** On a busy machine, twenty clients that wait for one row may need more time than a request has. */
const patient = { connectMs: 60_000, responseMs: 60_000, readMs: 60_000, lockMs: 60_000 };

/** Opens a new database, on PostgreSQL with long deadlines. */
async function openPatiently(
  engine: Engine,
  isolation: 'read committed' | 'serializable' = 'read committed',
): Promise<TestDatabase> {
  const place = await openTestDatabase(engine);
  if (place.databaseUrl === undefined) return place;
  await place.database.close();
  const deadlines = { ...requestDeadlines, ...patient };
  return { ...place, database: await openPostgres(place.databaseUrl, { deadlines, isolation }) };
}

describeOnBothEngines('one dashboard that 20 clients edit at once', (engine) => {
  test('contains all of their acknowledged edits', async (context) => {
    const { server, ada, bob, path } = await startEditing(context, engine, await openPatiently(engine));
    const { merged } = await editAtOnce(
      (client, line, options) => server.call(line, { as: client % 2 === 0 ? ada : bob, ...options }),
      { path, clients: 20, edits, seed: chosenSeed() },
    );
    assert.ok(merged > edits / 4, `${merged} merged`);
  });
});

describe('one dashboard that 20 clients edit at once on a SERIALIZABLE PostgreSQL', () => {
  test('contains all of their acknowledged edits: transactions that conflict are repeated', async (context) => {
    const place = await openPatiently('PostgreSQL', 'serializable');
    const { database } = place;
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
      { path, clients: 20, edits, seed: chosenSeed() },
    );
    context.diagnostic(`${runs - writes} of ${writes} writes were repeated`);
    assert.ok(runs > writes, 'there was no conflict');
  });
});
