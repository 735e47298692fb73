/*
 * Calls functions of DuckDB with random values: `node duckdb-fuzz-process.ts SEED ROUNDS FILE NAME…`. FILE holds the query
 * that runs, in case it crashes the process. Prints each finding as a line of JSON.
 */
import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { createGuard } from '../../../src/server/engine/duckdb/guard/guard.ts';
import { fuzzCall, type Signature } from './duckdb-calls.ts';
import { seededRandom } from '../seeded-random.ts';

const [seed = '1', rounds = '1', file = '', ...names] = process.argv.slice(2);
const interruptAfterMs = 2_000;
const graceMs = 20_000;

const instance = await DuckDBInstance.create(':memory:', {
  threads: '1',
  memory_limit: '256MB',
  temp_directory: '',
  enable_external_access: 'false',
  errors_as_json: 'true',
});
const connection = await instance.connect();
const guard = createGuard([]);
const random = seededRandom(Number(seed));
const wanted = new Set(names);

const reader = await connection.runAndReadAll(`
  SELECT lower(function_name), function_type, CASE function_type WHEN 'macro'
    THEN list_transform(parameters, x -> CASE WHEN x IN ('l', 'arr') THEN 'ANY[]' WHEN x = 'map' THEN 'MAP' ELSE 'ANY' END)
    ELSE list_transform(parameter_types, x -> coalesce(x, 'ANY')) END, varargs
  FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro', 'table') ORDER BY ALL`);
const signatures = new Map<string, Signature[]>();
for (const [name, kind, parameterTypes, variableType] of reader.getRowsJson()) {
  const signature = {
    name,
    kind,
    parameterTypes,
    variableType,
  } as unknown as Signature;
  if (wanted.has(signature.name))
    signatures.set(signature.name, [...(signatures.get(signature.name) ?? []), signature]);
}

for (let round = 0; round < Number(rounds); round += 1) {
  for (const overloads of signatures.values()) await run(fuzzCall(random, random.pick(overloads)));
}
connection.closeSync();
instance.closeSync();

async function run(sql: string): Promise<void> {
  writeFileSync(file, sql);
  try {
    await guard(connection, sql);
  } catch {
    return;
  }
  let hang: NodeJS.Timeout | undefined;
  const interruption = setTimeout(() => {
    connection.interrupt();
    hang = setTimeout(() => {
      report('does not stop', sql);
      process.exit(1);
    }, graceMs);
  }, interruptAfterMs);
  try {
    await connection.run(sql);
  } catch (error) {
    if (/"exception_type":"(INTERNAL|FATAL)"/i.test(String(error))) report(String(error).slice(0, 300), sql);
  } finally {
    clearTimeout(interruption);
    clearTimeout(hang);
  }
}

function report(finding: string, sql: string): void {
  writeFileSync(1, `${JSON.stringify({ finding, sql })}\n`);
}
