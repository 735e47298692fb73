import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { objectIn } from '../../dashboard-filters/definitions.ts';
import { ImportError, type ChosenSource } from '../conversion.ts';
import { convertMetabase } from './convert.ts';

const folder = join(import.meta.dirname, '../../../../tests/fixtures/importers/metabase');
const source: ChosenSource = { name: 'Shop', kind: 'postgresql' };

function readAll(): Readonly<Record<string, unknown>>[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => objectIn(parse(readFileSync(path, 'utf8'))) ?? {});
}

const question = (query: object, more: object = {}) => ({
  name: 'Q',
  entity_id: 'q',
  dataset_query: { database: 'Shop', ...query },
  'serdes/meta': [{ model: 'Card' }],
  ...more,
});

const native = (query: string, tags: object = {}) => question({ native: { query, 'template-tags': tags } });

describe('collections of Metabase', () => {
  test('list what was lost', () => {
    const { notes, documents, sources } = convertMetabase(readAll(), new Map([['Shop', source]]));
    assert.deepEqual(sources, [{ name: 'Shop', type: '', queryCount: 3 }]);
    assert.deepEqual(
      notes.map(({ where, what }) => `${where} | ${what}`),
      [
        'Orders | It was a model, and became a report.',
        'Joined | It didn’t become a report. It uses “joins”, which is not converted.',
        'Timeline | Files of this kind were dropped.',
        'Orders by month | The filter “Region” doesn’t apply to it: its query has no variable for it.',
        'Joined | It was replaced by a text. It uses “joins”, which is not converted.',
        'Overview | It was replaced by a text. The export doesn’t contain this question.',
        'Overview | It was replaced by a text. The widget “iframe” has no equivalent.',
      ],
    );
    assert.deepEqual(
      documents.map((document) => ('query' in document ? document.query : document.widgets.length)),
      [
        'SELECT count(*) AS "count"\nFROM orders\nWHERE total > {{least}} AND (({{created_from}} IS NULL OR ' +
          'CAST("orders"."created_at" AS date) >= {{created_from}}) AND ({{created_to}} IS NULL OR ' +
          'CAST("orders"."created_at" AS date) <= {{created_to}}))\n  AND ({{region}} IS NULL OR (region = {{region}}))',
        `SELECT date_trunc('month', "created_at") AS "created_at", count(*) AS "count", sum("total") AS "sum"\n` +
          `FROM "public"."orders"\nWHERE ("status" IS NULL OR "status" NOT IN ('it''s open'))\n` +
          `  AND "total" BETWEEN 10 AND 200\nGROUP BY 1\nORDER BY 2 DESC\nLIMIT 20`,
        9,
      ],
    );
  });

  const refused: readonly [what: string, file: object, reason: RegExp][] = [
    ['another question', native('select * from {{#12-orders}}'), /another question or a snippet/],
    ['an optional clause in another place', native('select 1 [[, {{a}}]]', { a: { name: 'a' } }), /optional/],
    ['a variable in quotes', native(`select '{{a}}'`, { a: { name: 'a' } }), /inside quotes/],
    ['a variable that it lacks', native('select {{b}}'), /refers to “b”/],
    ['several stages', question({ stages: [{ native: 'select 1' }, {}] }), /several stages/],
    [
      'an unknown summary',
      question({ query: { 'source-table': ['Shop', 'a'], aggregation: [['stddev', ['field', ['a']]]] } }),
      /“stddev”/,
    ],
    [
      'a summary with the name of a member of all objects',
      question({
        query: { 'source-table': ['Shop', 'a'], aggregation: [['constructor', ['field', ['a']]]] },
      }),
      /“constructor”/,
    ],
    [
      'a unit of time without a default',
      native('select {{t}}', {
        t: { name: 't', type: 'temporal-unit', dimension: ['field', ['d', 's', 't', 'c']] },
      }),
      /unit of time has no default/,
    ],
    ['no table', question({}), /table is not known/],
  ];
  for (const [what, file, reason] of refused)
    test(`say why a question with ${what} did not become a report`, () => {
      const { notes, documents } = convertMetabase([objectIn(file) ?? {}], new Map([['Shop', source]]));
      assert.equal(documents.length, 0);
      assert.match(notes[0]?.what ?? '', reason);
    });

  const field = ['field', {}, ['Shop', 'public', 'orders', 'note']];
  const filters: readonly [filter: unknown, sql: string][] = [
    [
      ['time-interval', {}, field, -30, 'day'],
      `("note" >= date_trunc('day', now()) - INTERVAL '30 day' AND "note" < date_trunc('day', now()))`,
    ],
    [
      ['time-interval', { 'include-current': true }, field, 1, 'quarter'],
      `("note" >= date_trunc('quarter', now()) AND "note" < date_trunc('quarter', now()) + INTERVAL '6 month')`,
    ],
    [
      ['time-interval', field, 'current', 'month'],
      `("note" >= date_trunc('month', now()) AND "note" < date_trunc('month', now()) + INTERVAL '1 month')`,
    ],
    [
      ['contains', { 'case-sensitive': false }, field, "50%'"],
      `lower("note") LIKE lower('%50!%''%') ESCAPE '!'`,
    ],
    [['does-not-contain', field, 'x'], `("note" IS NULL OR NOT ("note" LIKE '%x%' ESCAPE '!'))`],
    [['not-empty', {}, field], `("note" IS NOT NULL AND "note" <> '')`],
  ];
  for (const [filter, sql] of filters)
    test(`have the filter ${JSON.stringify(filter).slice(0, 60)} in SQL`, () => {
      const file = question({ stages: [{ 'source-table': ['Shop', null, 'orders'], filters: [filter] }] });
      const { documents } = convertMetabase([objectIn(file) ?? {}], new Map([['Shop', source]]));
      const [report] = documents;
      assert.ok(report && 'query' in report);
      assert.equal(report.query, `SELECT *\nFROM "orders"\nWHERE ${sql}`);
    });

  test('is left out if a value of its variable is longer than a parameter can have', () => {
    const convert = (length: number) => {
      const tag = { name: 't', type: 'text', default: 'x'.repeat(length) };
      const file = native('select {{t}} as "text"', { t: tag });
      return convertMetabase([objectIn(file) ?? {}], new Map([['Shop', source]]));
    };
    assert.equal(convert(10_000).documents.length, 1);
    assert.match(JSON.stringify(convert(10_001).notes), /A value of its variable “t” is too long/);
  });

  test('order by a summary that is named by its UUID, and group by a unit of time', () => {
    const stages = [
      {
        'source-table': ['Shop', null, 'orders'],
        aggregation: [['count', { 'lib/uuid': 'u1' }]],
        breakout: [field],
        'order-by': [['desc', {}, ['aggregation', {}, 'u1']]],
      },
    ];
    const tag = { name: 't', type: 'temporal-unit', default: 'month', dimension: field };
    const files = [question({ stages }), { ...native('select {{t}} as "time"', { t: tag }), entity_id: 'n' }];
    const { documents, notes } = convertMetabase(
      files.map((file) => objectIn(file) ?? {}),
      new Map([['Shop', source]]),
    );
    assert.deepEqual(
      documents.map((document) => ('query' in document ? document.query : '')),
      [
        'SELECT "note" AS "note", count(*) AS "count"\nFROM "orders"\nGROUP BY 1\nORDER BY 2 DESC',
        `select date_trunc('month', "orders"."note") as "time"`,
      ],
    );
    assert.deepEqual(
      notes.map(({ what }) => what),
      ['Its unit of time can’t be chosen, and is always “month”.'],
    );
  });

  test('quote every name and text', () => {
    const field = ['field', ['Shop', null, 't', 'a"b']];
    const file = question({
      query: {
        'source-table': ['Shop', null, 'x"; drop table y'],
        fields: [field],
        filter: ['=', field, `a'; --`],
      },
    });
    const { documents } = convertMetabase([objectIn(file) ?? {}], new Map([['Shop', source]]));
    const [report] = documents;
    assert.ok(report && 'query' in report);
    assert.equal(report.query, `SELECT "a""b"\nFROM "x""; drop table y"\nWHERE "a""b" = 'a''; --'`);
  });

  test('with unexpected values are read or refused, but never fail', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 10_000; depth += 1) deep = ['and', deep];
    const files = [
      { 'serdes/meta': [{ model: 'Dashboard' }], dashcards: [null, 1, { row: 1e308, card_id: '__proto__' }] },
      { 'serdes/meta': [{ model: 'Card' }], dataset_query: 7 },
    ];
    const { documents } = convertMetabase(
      files.map((file) => objectIn(file) ?? {}),
      new Map([['Shop', source]]),
    );
    const nested = question({ query: { 'source-table': ['Shop', 'a'], filter: deep } });
    assert.throws(() => convertMetabase([nested], new Map()), ImportError);
    assert.deepEqual(
      documents.map(({ format }) => format),
      ['atrium.dashboard/1'],
    );
  });
});
