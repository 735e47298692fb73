import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { makeFilesSource } from '../../../tests/support/data-sources/files-source.ts';
import { makePostgresqlSource } from '../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from '../../server/engine/query-engine.ts';
import type { SourceDescription } from '../../server/engine/source-description.ts';
import { dialects, type DialectName } from './dialects/dialects.ts';
import { generateQuery } from './generate.ts';
import type { Filter, QueryStructure } from './structure.ts';

const engine = createQueryEngine({ sandbox: await testSandbox() });
const cleanUps: (() => Promise<void>)[] = [];
const context = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };
after(async () => {
  await engine.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

const uuid = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const select = `
  SELECT 1 AS id, 'happy'::mood AS mood, '${uuid}'::UUID AS token, TIME '09:30:00' AS opens,
    TIMESTAMP '2026-03-29 12:00:00.5' AS at, TIMESTAMPTZ '2026-03-29 00:30:00+00' AS seen
  UNION ALL SELECT 2, 'sad', NULL, TIME '17:00:00', TIMESTAMP '2026-03-30 00:00:00', TIMESTAMPTZ '2026-03-28 23:30:00+00'
  UNION ALL SELECT 3, NULL, NULL, NULL, NULL, NULL`;
const sources: Readonly<Record<DialectName, () => Promise<SourceDescription>>> = {
  duckdb: () => makeFilesSource(context, { kinds: select.replace('::mood', "::ENUM ('happy', 'sad')") }),
  postgresql: async () =>
    (
      await makePostgresqlSource(
        context,
        `CREATE TYPE mood AS ENUM ('happy', 'sad'); CREATE TABLE kinds AS ${select}`,
      )
    ).source,
};
const table = {
  name: 'kinds',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'mood', type: 'text', sourceType: 'mood' },
    { name: 'token', type: 'uuid' },
    { name: 'opens', type: 'time' },
    { name: 'at', type: 'datetime' },
    { name: 'seen', type: 'instant' },
  ],
} as const;

/** Filters, and the ids of the rows that pass. */
const cases: readonly [Filter, ids: readonly number[]][] = [
  [{ column: { name: 'mood' }, operator: 'is', values: ['happy'] }, [1]],
  [{ column: { name: 'mood' }, operator: 'is_not', values: ['happy'] }, [2, 3]],
  [{ column: { name: 'mood' }, operator: 'is', values: ['happy', 'unknown'] }, [1]],
  [{ column: { name: 'mood' }, operator: 'contains', text: 'A' }, [1, 2]],
  [{ column: { name: 'mood' }, operator: 'is_empty' }, [3]],
  [{ column: { name: 'mood' }, operator: 'in_group', value: 'sad' }, [2]],
  [{ formula: 'concat([mood], "!") = "sad!"' }, [2]],
  [{ column: { name: 'token' }, operator: 'is', values: [uuid] }, [1]],
  [{ column: { name: 'token' }, operator: 'is_not', values: [uuid, uuid] }, [2, 3]],
  [{ column: { name: 'opens' }, operator: 'between', from: '09:00', to: '10:00' }, [1]],
  [{ column: { name: 'opens' }, operator: 'is', values: ['17:00', '18:00'] }, [2]],
  [{ column: { name: 'at' }, operator: 'is', values: ['2026-03-29T12:00:00.5'] }, [1]],
  [{ column: { name: 'at' }, operator: 'between', to: '2026-03-29' }, [1]],
  [{ column: { name: 'seen' }, operator: 'is', values: ['2026-03-29'] }, [1, 2]],
  [
    {
      column: { name: 'seen' },
      operator: 'is',
      values: ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00+01:00'],
    },
    [1],
  ],
  [{ column: { name: 'seen' }, operator: 'is', values: ['2026-03-29T01:30:00'] }, [1]],
  [{ column: { name: 'seen' }, operator: 'between', from: '2026-03-29T01:00:00' }, [1]],
  [
    {
      column: { name: 'seen' },
      operator: 'between',
      from: '2026-03-29',
      to: '2026-03-29T00:00:00Z',
    },
    [2],
  ],
  [{ column: { name: 'seen' }, operator: 'relative', direction: 'last', unit: 'minute', count: 1 }, []],
  [{ column: { name: 'seen' }, operator: 'relative', direction: 'next', unit: 'hour', count: 2 }, []],
];

for (const dialect of Object.keys(dialects) as DialectName[]) {
  describe(`on ${dialect}`, () => {
    test('every type of column can be filtered', async () => {
      const source = await sources[dialect]();
      const found = [];
      for (const [filter] of cases) {
        const structure: QueryStructure = {
          table: { ...table, schema: dialects[dialect].defaultSchema },
          columns: [{ name: 'id' }],
          filters: [filter],
          sort: [{ name: 'id' }],
          timeZone: 'Europe/Berlin',
        };
        const generated = generateQuery(structure, dialect);
        assert.ok('query' in generated, JSON.stringify(generated));
        const { sql, parameters: list } = generated.query;
        const parameters = list.map(({ name, type, default: value }) => ({ name, type, value }));
        const result = await engine
          .run({ organizationId: 'one', source, sql, parameters })
          .catch((cause: unknown) => {
            throw new Error(`${String(cause)}\n${sql}`, { cause });
          });
        found.push((JSON.parse(Buffer.from(result.rowsJson).toString()) as number[][]).flat());
      }
      assert.deepEqual(
        found,
        cases.map(([, ids]) => ids),
      );
    });
  });
}
