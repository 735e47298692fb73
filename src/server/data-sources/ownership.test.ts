import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  describeOnUsualEngine,
  openTestDatabase,
  type Engine,
} from '../../../tests/support/server/test-server.ts';
import { StartError } from '../base/errors.ts';
import { createUser } from '../organizations/users.ts';
import { foundOrganization } from '../organizations/organizations.ts';
import type { Database } from '../storage/database.ts';
import { instanceFile } from '../storage/instance.ts';
import { openDatabase } from '../storage/open-database.ts';
import { claimSources } from './ownership.ts';

const local = { hasLocalTables: true };

describeOnUsualEngine('the uploaded tables in a data directory', (engine) => {
  test('belong to the database that was first started with them', async (context) => {
    const own = await open(context, engine);
    const other = await open(context, engine);
    await claimSources(own.database, own.dataDirectory, local);
    await claimSources(own.database, own.dataDirectory, local);
    cpSync(join(own.dataDirectory, 'sources'), join(other.dataDirectory, 'sources'), { recursive: true });
    await assert.rejects(openDatabase(other), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /belong to another database.*is wrong.*delete .*instance-id/s);
      return true;
    });
  });

  test('that are not marked yet are accepted by a database that has one of their organizations', async (context) => {
    const own = await open(context, engine);
    const other = await open(context, engine);
    const organizationIds = await Promise.all([found(own.database), found(other.database)]);
    const { dataDirectory } = own;
    for (const id of organizationIds) {
      const file = join(dataDirectory, 'sources', id, 'a-data-source', 'table.duckdb');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'rows');
    }
    const stranger = await open(context, engine);
    await assert.rejects(claimSources(stranger.database, dataDirectory, local), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /this database does not have.*is wrong.*move .*sources away/s);
      return true;
    });
    assert.equal(existsSync(instanceFile(dataDirectory)), false);
    await claimSources(own.database, dataDirectory, local);
    assert.ok(existsSync(instanceFile(dataDirectory)));
  });
});

async function open(context: TestContext, engine: Engine) {
  const opened = await openTestDatabase(engine);
  context.after(async () => {
    await opened.database.close();
    await opened.drop();
  });
  return opened;
}

/** Returns the id of a new organization. */
async function found(database: Database): Promise<string> {
  return database.write(async (transaction) => {
    const user = { email: 'ada@example.com', name: 'Ada', passwordHash: null };
    const { id } = await createUser(transaction, Date.now, user);
    return (await foundOrganization(transaction, Date.now, id, 'Organization')).id;
  });
}
