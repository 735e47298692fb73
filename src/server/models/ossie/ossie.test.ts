import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { TableModel } from '#contract/models.ts';
import { toOssie } from './export.ts';
import { formulaOfSql } from './formula-of-sql.ts';
import { fromOssie } from './import.ts';
import { sqlOfFormula } from './sql-of-formula.ts';

const sales: TableModel = {
  schema: 'main',
  name: 'sales',
  displayName: 'Sales',
  description: 'One row per sale',
  columns: [
    { name: 'amount', displayName: 'Amount paid', format: { kind: 'currency', currency: 'EUR' } },
    { name: 'Internal no', isHidden: true },
  ],
  primaryKey: ['id'],
  relationships: [
    { name: 'Region', columns: ['region'], references: { schema: 'main', name: 'regions', columns: ['id'] } },
  ],
  dimensions: [
    { name: 'Net', formula: '[amount] - [tax]' },
    { name: 'Year', formula: 'year([day])' },
  ],
  measures: [
    { name: 'Revenue', description: 'Before tax', formula: 'sum([amount])', format: { kind: 'number' } },
    { name: 'Middle', formula: 'median([amount])' },
  ],
};

describe('models as a semantic model of Apache Ossie', () => {
  test('have standard parts, which other tools read, and extensions for the rest', () => {
    const { document, notes } = toOssie('Shop', [sales]);
    const sql = (expression: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });
    const own = (data: object) => [{ vendor_name: 'ATRIUM', data: JSON.stringify(data) }];
    assert.deepEqual(document, {
      version: '0.2.0.dev0',
      semantic_model: [
        {
          name: 'Shop',
          datasets: [
            {
              name: 'sales',
              source: 'main.sales',
              primary_key: ['id'],
              description: 'One row per sale',
              fields: [
                {
                  name: 'amount',
                  expression: sql('amount'),
                  label: 'Amount paid',
                  custom_extensions: own({ format: { kind: 'currency', currency: 'EUR' } }),
                },
                {
                  name: 'Internal no',
                  expression: sql('"Internal no"'),
                  custom_extensions: own({ isHidden: true }),
                },
                {
                  name: 'Net',
                  expression: sql('amount - tax'),
                  custom_extensions: own({ formula: '[amount] - [tax]' }),
                },
              ],
              custom_extensions: own({
                displayName: 'Sales',
                dimensions: [{ name: 'Year', formula: 'year([day])' }],
                measures: [{ name: 'Middle', formula: 'median([amount])' }],
              }),
            },
            { name: 'regions', source: 'main.regions' },
          ],
          relationships: [
            {
              name: 'sales.Region',
              from: 'sales',
              to: 'regions',
              from_columns: ['region'],
              to_columns: ['id'],
              custom_extensions: own({ name: 'Region' }),
            },
          ],
          metrics: [
            {
              name: 'Revenue',
              expression: sql('SUM(sales.amount)'),
              description: 'Before tax',
              custom_extensions: own({
                dataset: 'sales',
                name: 'Revenue',
                formula: 'sum([amount])',
                format: { kind: 'number' },
              }),
            },
          ],
        },
      ],
    });
    assert.deepEqual(notes, [
      'sales: Ossie has no format for the column amount.',
      'sales: Ossie can’t hide the column Internal no.',
      'sales: the dimension Year has no equal in standard SQL: only Atrium will read it.',
      'sales: the measure Middle has no equal in standard SQL: only Atrium will read it.',
      'sales: Ossie has no display name of a table (“Sales”).',
    ]);
  });

  test('are read again as they were', () => {
    fc.assert(
      fc.property(fc.uniqueArray(model, { selector: (one) => `${one.schema} ${one.name}` }), (models) => {
        const { document } = toOssie('Shop', models);
        const { models: read, notes } = fromOssie(document, 'main');
        assert.deepEqual(notes, []);
        assert.deepEqual(read.map(sorted), models.map(sorted));
        assert.deepEqual(toOssie('Shop', read).document, document);
      }),
      { numRuns: 300 },
    );
  });

  test('of other tools are read as far as models can have them, and the rest is listed', () => {
    const expression = (text: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression: text }] });
    const { models, notes } = fromOssie(
      {
        version: '0.1.1',
        semantic_model: [
          {
            name: 'shop',
            description: 'Everything',
            datasets: [
              {
                name: 'orders',
                source: 'prod.sales.orders',
                primary_key: ['id'],
                fields: [
                  {
                    name: 'Order date',
                    expression: expression('ordered_on'),
                    description: 'When it was placed',
                  },
                  { name: 'gross', expression: expression('price * 1.19 + COALESCE(fee, 0)') },
                  { name: 'size', expression: expression('CASE WHEN price > 9 THEN 1 END') },
                  { name: 'mdx', expression: { dialects: [{ dialect: 'MDX', expression: '[x]' }] } },
                ],
                custom_extensions: [{ vendor_name: 'DBT', data: '{}' }],
              },
              { name: 'customers', source: 'customers' },
              { name: 'derived', source: 'SELECT 1' },
            ],
            relationships: [
              { name: 'ordered', from: 'orders', to: 'customers', from_columns: ['c'], to_columns: ['id'] },
              { name: 'bad', from: 'orders', to: 'derived', from_columns: ['c'], to_columns: ['id'] },
            ],
            metrics: [
              { name: 'revenue', expression: expression('SUM(orders.price) / COUNT(DISTINCT orders.c)') },
              { name: 'both', expression: expression('SUM(orders.price) / COUNT(customers.id)') },
            ],
          },
        ],
      },
      'main',
    );
    assert.deepEqual(models, [
      {
        schema: 'sales',
        name: 'orders',
        columns: [{ name: 'ordered_on', displayName: 'Order date', description: 'When it was placed' }],
        primaryKey: ['id'],
        dimensions: [{ name: 'gross', formula: '[price] * 1.19 + coalesce([fee], 0)' }],
        relationships: [
          {
            name: 'ordered',
            columns: ['c'],
            references: { schema: 'main', name: 'customers', columns: ['id'] },
          },
        ],
        measures: [{ name: 'revenue', formula: 'sum([price]) / count_distinct([c])' }],
      },
    ]);
    assert.deepEqual(notes, [
      'Left out: the description of the semantic model shop.',
      'Left out: the extension DBT of the dataset orders.',
      'Left out: the field size of orders, whose expression no formula can express.',
      'Left out: the field mdx of orders, whose expression no formula can express.',
      'Left out: the dataset derived, whose source isn’t a table.',
      'Left out: the relationship bad, whose datasets or columns don’t fit.',
      'Left out: the metric both, which isn’t about exactly one dataset.',
    ]);
  });

  const sources: readonly (readonly [source: string, table: string | undefined])[] = [
    ['orders', 'main / orders'],
    [' shop.orders ', 'shop / orders'],
    ['prod.shop.orders', 'shop / orders'],
    ['"Shop"."big ""new"" orders"', 'Shop / big "new" orders'],
    ['"a.b"."c.d"', 'a.b / c.d'],
    ['"a""b"', 'main / a"b'],
    ['größe.βήτα', 'größe / βήτα'],
    ['', undefined],
    ['.', undefined],
    ['orders.', undefined],
    ['.orders', undefined],
    ['a.b.c.d', undefined],
    ['"orders', undefined],
    ['"orders"x', undefined],
    ['""', undefined],
    ['SELECT 1', undefined],
    ['(orders)', undefined],
    ['x'.repeat(201), undefined],
    ['"'.repeat(100_001), undefined],
  ];
  for (const [source, table] of sources) {
    test(`the source ${source.slice(0, 40)} ${table === undefined ? 'is no table' : `is ${table}`}`, () => {
      const { models } = fromOssie(
        {
          version: '0.1.1',
          semantic_model: [{ name: 'm', datasets: [{ name: 'd', source, primary_key: ['id'] }] }],
        },
        'main',
      );
      assert.equal(models[0] && `${models[0].schema} / ${models[0].name}`, table);
    });
  }

  test('an expression that was edited wins over the formula that it was exported from', () => {
    const { document } = toOssie('Shop', [
      { ...sales, dimensions: [], measures: [{ name: 'R', formula: 'sum([a])' }] },
    ]);
    const text = JSON.stringify(document).replace('SUM(sales.a)', 'MAX(sales.b)');
    const { models } = fromOssie(JSON.parse(text), 'main');
    assert.deepEqual(models[0]?.measures, [{ name: 'R', formula: 'max([b])' }]);
  });
});

for (const [formula, sql] of [
  ['[a] + [b] * 2', 'a + (b * 2)'],
  ['not ([a] = "it\'s") and [b] <> 1', "NOT (a = 'it''s') AND (b <> 1)"],
  ['-sum([Ünit]) / count()', '-(SUM("Ünit")) / NULLIF(COUNT(*), 0)'],
] as const) {
  test(`the formula ${formula} is ${sql}`, () => assert.equal(sqlOfFormula(formula), sql));
}

for (const sql of [
  'a.b.',
  'SUM(x',
  'EXTRACT(YEAR FROM d)',
  'x IS NULL',
  'a; DROP TABLE b',
  '$1',
  "'open",
  'CAST(a AS INT)',
])
  test(`${sql} is no formula`, () => assert.equal(formulaOfSql(sql), undefined));

const name = fc.constantFrom('a', 'b c', 'Ünit', '"q"', '__proto__', 'select', 'x.y');
const format = fc.constantFrom({ kind: 'date' as const }, { kind: 'number' as const, decimals: 2 });
const text = fc.constantFrom('A text', '“quoted”: yes', 'null');
const formulas = (choices: readonly string[]) =>
  fc.uniqueArray(
    fc.record(
      {
        name: fc.constantFrom('One', 'Two', 'Three'),
        description: text,
        formula: fc.constantFrom(...choices),
        format,
      },
      { requiredKeys: ['name', 'formula'], noNullPrototype: true },
    ),
    { selector: (one) => one.name, minLength: 1 },
  );
const model: fc.Arbitrary<TableModel> = fc.record(
  {
    schema: fc.constantFrom('main', 'other', 'Odd schema'),
    name,
    displayName: text,
    description: text,
    columns: fc.uniqueArray(
      fc.record(
        { name, displayName: text, description: text, isHidden: fc.constant(true), format },
        {
          requiredKeys: ['name', 'displayName'],
          noNullPrototype: true,
        },
      ),
      { selector: (one) => one.name, minLength: 1 },
    ),
    primaryKey: fc.uniqueArray(name, { minLength: 1 }),
    relationships: fc.uniqueArray(
      fc.record(
        {
          name,
          columns: fc.tuple(name),
          references: fc.record(
            { schema: fc.constantFrom('main', 'other'), name, columns: fc.tuple(name) },
            { noNullPrototype: true },
          ),
        },
        { noNullPrototype: true },
      ),
      { selector: (one) => one.name, minLength: 1 },
    ),
    dimensions: formulas(['[a]', '[a] + 1', 'year([a])', 'upper([b c])', '"x" = [__proto__]']),
    measures: formulas(['sum([a])', 'sum([a]) / count()', 'median([a])', 'count_distinct([x.y])']),
  },
  { requiredKeys: ['schema', 'name', 'displayName'], noNullPrototype: true },
);

/** Formulas without an equal in SQL move to the end. */
const sorted = ({ dimensions = [], measures = [], ...rest }: TableModel) => ({
  ...rest,
  dimensions: dimensions.toSorted((a, b) => a.name.localeCompare(b.name)),
  measures: measures.toSorted((a, b) => a.name.localeCompare(b.name)),
});
