import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine, type QueryEngine } from '../query-engine.ts';
import type { PostgresqlSource } from './description.ts';

const reader = `catalog_reader_${process.pid}`;

let engine: QueryEngine;
let source: PostgresqlSource;
let admin: pg.Client;
const closings: (() => Promise<void>)[] = [];

before(async () => {
  const made = await makePostgresqlSource(
    { after: (close) => void closings.push(close) },
    `CREATE SCHEMA shop;
    CREATE TABLE shop.customers (region text, number int, name text, secret text, PRIMARY KEY (number, region));
    CREATE TABLE shop.orders (
      id bigint PRIMARY KEY,
      customer int,
      customer_region text,
      parent bigint REFERENCES shop.orders,
      FOREIGN KEY (customer, customer_region) REFERENCES shop.customers (number, region)
    );
    COMMENT ON TABLE shop.orders IS 'What customers bought';
    COMMENT ON COLUMN shop.orders.id IS '${'long '.repeat(1_000)}';
    CREATE ROLE ${reader} LOGIN PASSWORD 'secret';
    GRANT USAGE ON SCHEMA shop TO ${reader};
    GRANT SELECT ON shop.orders TO ${reader};
    GRANT SELECT (number, name) ON shop.customers TO ${reader};`,
  );
  ({ admin } = made);
  source = { ...made.source, user: reader, password: 'secret' };
  engine = createQueryEngine({ sandbox: await testSandbox() });
});

after(async () => {
  await engine.close();
  await admin.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
  for (const close of closings) await close();
});

const tables = (): Promise<readonly SourceTable[]> => engine.describe({ organizationId: 'one', source });

const withoutColumns = ({ columns, ...rest }: SourceTable) => ({
  ...rest,
  columns: columns.map(({ name }) => name),
});

describe('the tables of a PostgreSQL source', () => {
  it('have their keys and comments, as far as the role may read the columns', async () => {
    const [customers, orders, ...others] = await tables();
    assert.ok(customers && orders);
    assert.deepEqual(others, []);
    assert.deepEqual(withoutColumns(customers), {
      schema: 'shop',
      name: 'customers',
      columns: ['number', 'name'],
    });
    assert.deepEqual(withoutColumns(orders), {
      schema: 'shop',
      name: 'orders',
      columns: ['id', 'customer', 'customer_region', 'parent'],
      description: 'What customers bought',
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['parent'], schema: 'shop', table: 'orders', otherColumns: ['id'] }],
    });
    assert.deepEqual(
      orders.columns.map(({ description }) => description?.length),
      [1_000, undefined, undefined, undefined],
    );
  });

  it('have keys of several columns in the order of the key', async () => {
    await admin.query(`GRANT SELECT ON shop.customers TO ${reader}`);
    const [customers, orders] = await tables();
    assert.deepEqual(customers?.primaryKey, ['number', 'region']);
    assert.deepEqual(orders?.foreignKeys?.[0], {
      columns: ['customer', 'customer_region'],
      schema: 'shop',
      table: 'customers',
      otherColumns: ['number', 'region'],
    });
  });
});
