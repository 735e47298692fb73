import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expressionFunctions, tableFunctions } from './functions.ts';
import { createGuard } from './guard.ts';
import { refusedNames } from './refused.ts';
import { collations, refusedTypeNames, typeNames, types } from './types.ts';

/*
 * Compares each list with the installed version of DuckDB. After an update, review each name that a failure shows, and add it
 * to the list of allowed names, or to the refused ones with the reason.
 */

let instance: DuckDBInstance;
let connection: DuckDBConnection;
before(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
after(() => {
  connection.closeSync();
  instance.closeSync();
});

async function select(sql: string): Promise<Set<string>> {
  const reader = await connection.runAndReadAll(sql);
  return new Set(reader.getRows().map(([name]) => String(name).toLowerCase()));
}

const functionsOf = (...kinds: string[]): Promise<Set<string>> =>
  select(
    `SELECT function_name FROM duckdb_functions() WHERE function_type IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`,
  );

const refused = new Set(refusedNames);
const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

describe('the lists of names that a query of DuckDB may use', () => {
  it('cover each function of the installed version', async () => {
    const inExpressions = await functionsOf('scalar', 'aggregate', 'macro');
    const inFrom = await functionsOf('table', 'table_macro');
    assert.deepEqual(
      {
        notJudged: sorted(inExpressions.difference(expressionFunctions).difference(refused)),
        notJudgedInFrom: sorted(inFrom.difference(tableFunctions).difference(refused)),
        missing: sorted(expressionFunctions.difference(inExpressions)),
        missingInFrom: sorted(tableFunctions.difference(inFrom)),
        missingAndRefused: sorted(refused.difference(inExpressions).difference(inFrom)),
        bothAllowedAndRefused: sorted(refused.intersection(expressionFunctions.union(tableFunctions))),
      },
      {
        notJudged: [],
        notJudgedInFrom: [],
        // The planner handles it by its name.
        missing: ['unnest'],
        missingInFrom: [],
        missingAndRefused: [],
        // An aggregate function, and a macro that takes the name of a table.
        bothAllowedAndRefused: ['histogram'],
      },
    );
  });

  it('cover each type of the installed version', async () => {
    const installed = await select('SELECT type_name FROM duckdb_types()');
    const kinds = await select(
      `SELECT logical_type FROM duckdb_types() WHERE lower(type_name) NOT IN ('${[...refusedTypeNames].join("', '")}')`,
    );
    const inParser = new Set([...types].map((name) => name.toLowerCase()));
    const judged = typeNames.union(refusedTypeNames);
    assert.deepEqual(
      {
        notJudged: sorted(installed.difference(judged)),
        missing: sorted(judged.difference(installed)),
        kindsNotJudged: sorted(kinds.difference(inParser)),
        missingKinds: sorted(inParser.difference(kinds)),
      },
      { notJudged: [], missing: [], kindsNotJudged: [], missingKinds: [] },
    );
  });

  it('cover each collation of the installed version', async () => {
    const installed = await select('SELECT collname FROM pragma_collations()');
    assert.deepEqual(
      {
        notJudged: sorted(installed.difference(collations)),
        missing: sorted(collations.difference(installed)),
      },
      // Names for byte order, which are not in the catalog.
      { notJudged: [], missing: ['binary', 'c', 'posix'] },
    );
  });

  it('allow each macro only with a definition that is itself allowed', async () => {
    const reader = await connection.runAndReadAll(
      "SELECT function_name, macro_definition FROM duckdb_functions() WHERE function_type = 'macro'",
    );
    const guard = createGuard([]);
    for (const [name, definition] of reader.getRows()) {
      if (!expressionFunctions.has(String(name))) continue;
      await guard(connection, `SELECT ${String(definition)}`).catch((error: unknown) => {
        assert.fail(`${String(name)}: ${String(error)}: ${String(definition)}`);
      });
    }
  });
});
