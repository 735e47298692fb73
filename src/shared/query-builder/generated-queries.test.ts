import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { makeFilesSource } from '../../../tests/support/data-sources/files-source.ts';
import { makePostgresqlSource } from '../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../tests/support/data-sources/query-sandbox.ts';
import { computeResult, keyText, order } from '../../../tests/support/query-builder/reference.ts';
import { randomStructure } from '../../../tests/support/query-builder/structures.ts';
import { randomTables, selectOfRows, type Value } from '../../../tests/support/query-builder/tables.ts';
import { chosenSeed, seededRandom } from '../../../tests/support/seeded-random.ts';
import { createQueryEngine } from '../../server/engine/query-engine.ts';
import type { SourceDescription } from '../../server/engine/source-description.ts';
import { isNumeric } from '../columns.ts';
import { dialects, type DialectName } from './dialects/dialects.ts';
import { generateQuery, type GeneratedQuery } from './generate.ts';
import type { QueryStructure, SortedColumn } from './structure.ts';

const seed = chosenSeed();
const numRuns = Number(process.env['ATRIUM_FUZZ_ROUNDS'] ?? 120);
const { tables, lookup } = randomTables(seed, 4);
const engine = createQueryEngine({ sandbox: await testSandbox() });
const cleanUps: (() => Promise<void>)[] = [];
const context = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };
after(async () => {
  await engine.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

const sources: Record<DialectName, () => Promise<SourceDescription>> = {
  duckdb: () =>
    makeFilesSource(
      context,
      Object.fromEntries([...tables, lookup].map((table) => [table.name, selectOfRows(table)])),
    ),
  async postgresql() {
    const sql = [...tables, lookup]
      .map((table) => `CREATE TABLE "${table.name}" AS ${selectOfRows(table)};`)
      .join('\n');
    return (await makePostgresqlSource(context, sql)).source;
  },
};

/** Returns a structure whose tables are in the default schema of a dialect. */
function inDialect(structure: QueryStructure, dialect: DialectName): QueryStructure {
  const schema = dialects[dialect].defaultSchema;
  const joins = structure.joins?.map((join) => ({ ...join, table: { ...join.table, schema } }));
  return { ...structure, table: { ...structure.table, schema }, ...(joins && { joins }) };
}

for (const dialect of Object.keys(dialects) as DialectName[]) {
  describe(`on ${dialect}`, () => {
    let source: SourceDescription;
    before(async () => {
      source = await sources[dialect]();
    });

    async function run(structure: QueryStructure): Promise<{ query: GeneratedQuery; rows: Value[][] }> {
      const generated = generateQuery(inDialect(structure, dialect), dialect);
      assert.ok('query' in generated, JSON.stringify(generated));
      const { query } = generated;
      const { sql, parameters, columns } = query;
      const bound = parameters.map(({ name, type, default: value }) => ({ name, type, value }));
      try {
        const result = await engine.run({ organizationId: 'one', source, sql, parameters: bound });
        assert.deepEqual(
          result.columns.map(({ name }) => name),
          columns.map(({ name }) => name),
        );
        for (const [index, { name, type }] of columns.entries()) {
          const found = result.columns[index]?.type ?? 'other';
          assert.ok(
            type === found || (isNumeric(type) && isNumeric(found)),
            `${name} is ${found}, not ${type}`,
          );
        }
        const rows = JSON.parse(Buffer.from(result.rowsJson).toString()) as Value[][];
        const valueOf = (value: Value, index: number): Value =>
          isNumeric(columns[index]?.type ?? 'text') && value !== null ? Number(value) : value;
        return { query, rows: rows.map((row) => row.map(valueOf)) };
      } catch (cause) {
        throw new Error(`${String(cause)}\n${sql}\n${JSON.stringify(bound)}`, { cause });
      }
    }

    test(`random queries have the results of the reference (seed ${seed})`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (number) => {
          const reference = randomStructure(seededRandom(number), tables, lookup);
          const { structure } = reference;
          const { query, rows } = await run(structure);
          const names = query.columns.map(({ name }) => name);
          const alias = structure.joins?.[0]?.as;
          const expected = computeResult(reference).map((row) =>
            names.map((name) => row.get(name) ?? row.get(`${alias}.${name}`) ?? null),
          );
          try {
            assertSameRows(structure, names, rows, expected);
          } catch (cause) {
            throw new Error(
              `${String(cause)}\n${JSON.stringify(structure)}\n${JSON.stringify(query)}\n${query.sql}`,
              { cause },
            );
          }
        }),
        { seed, numRuns, endOnFailure: true },
      );
    });
  });
}

/** Checks that the rows are those of the reference, in the order and up to the limit of the structure. */
function assertSameRows(
  { sort = [], groups = [], limit = Infinity }: QueryStructure,
  names: readonly string[],
  actual: readonly (readonly Value[])[],
  expected: readonly (readonly Value[])[],
): void {
  const ranked: readonly SortedColumn[] =
    sort.length > 0 ? sort : groups.map((_, index) => ({ name: names[index] ?? '' }));
  const keys = ranked.map(({ name }) => names.indexOf(name));
  const all = names.map((_, index) => index);
  const inOrder = expected.toSorted((one, other) => compareRows(keys, one, other, ranked));
  const keysOf = (rows: readonly (readonly Value[])[]): string[] =>
    rows.map((row) => keyText(keys.map((key) => rounded(row[key] ?? null))));
  assert.deepEqual(keysOf(actual), keysOf(inOrder.slice(0, limit)));
  const textsOf = (rows: readonly (readonly Value[])[]): string[] =>
    rows.toSorted((one, other) => compareRows(all, one, other, [])).map((row) => keyText(row.map(rounded)));
  assert.equal(actual.length, Math.min(limit, expected.length));
  if (actual.length === expected.length) assert.deepEqual(textsOf(actual), textsOf(expected));
  // Which rows of the same rank are within the limit isn't defined.
  const found = new Set(textsOf(expected));
  assert.deepEqual(
    textsOf(actual).filter((text) => !found.has(text)),
    [],
  );
}

function compareRows(
  keys: readonly number[],
  one: readonly Value[],
  other: readonly Value[],
  directions: readonly { readonly isDescending?: boolean }[],
): number {
  for (const [index, key] of keys.entries()) {
    const [left, right] = [rounded(one[key] ?? null), rounded(other[key] ?? null)];
    const isReversed = directions[index]?.isDescending === true && left !== null && right !== null;
    const sign = isReversed ? order(right, left) : order(left, right);
    if (sign !== 0) return sign;
  }
  return 0;
}

/** Returns a number without the last of its digits, in which calculations of doubles may differ. */
const rounded = (value: Value): Value =>
  typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(9)) + 0 : value;
