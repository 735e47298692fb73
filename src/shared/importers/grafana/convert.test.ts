import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { detectForeign } from '../detect.ts';
import {
  ImportError,
  type ChosenSource,
  type Conversion,
  type ConvertedDashboard,
  type ConvertedReport,
  type ConvertedWidget,
} from '../conversion.ts';

const folder = new URL('../../../../tests/fixtures/importers/', import.meta.url);
const source: ChosenSource = { name: 'Shop', kind: 'postgresql' };

function convert(text: string): Conversion {
  const file = detectForeign(text);
  assert.ok(file);
  const { sources } = file.convert(new Map());
  return file.convert(new Map(sources.map(({ name }) => [name, source])));
}

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

const notesOf = (name: string): string[] =>
  convert(read(name)).notes.map(({ where, what }) => `${where} | ${what}`);

/** Returns the reports and the dashboard of a file with these parts. */
function partsOf(dashboard: object): {
  reports: ConvertedReport[];
  widgets: ConvertedWidget[];
} {
  const { documents } = convert(JSON.stringify({ title: 'D', ...dashboard }));
  return {
    reports: documents.filter((each) => each.format === 'atrium.report/1'),
    widgets: documents.flatMap((each) => (each.format === 'atrium.dashboard/1' ? each.widgets : [])),
  };
}

const queryPanel = (rawSql: string, more: object = {}) => ({
  id: 1,
  title: 'P',
  type: 'table',
  datasource: 'db',
  gridPos: { x: 0, y: 0, w: 12, h: 8 },
  targets: [{ refId: 'A', rawSql }],
  ...more,
});

const variable = (more: object) => ({ templating: { list: [{ name: 'v', type: 'custom', ...more }] } });

describe('dashboards of Grafana', () => {
  test('list what was lost', () => {
    assert.deepEqual(notesOf('grafana-classic.json'), [
      'Revenue | Its links were dropped.',
      'Revenue | The variable “bucket” stands for a part of the query, so its present value “1d” is used.',
      'Orders | Its transformations were dropped: reduce.',
      'Orders | It was repeated for each value of “region”, and is shown once.',
      'Load | It was replaced by a text. Queries of the data source “prometheus” are not SQL.',
      'About | Its HTML became text.',
      'Two queries | Its hidden queries were dropped.',
      'Two queries | Its 2 queries became a widget each, since a report has one query.',
      'Two queries | Its query is in the SQL of MySQL. Check that it runs.',
      'Everything | The columns of its query are not known, so the result is a table. Choose a chart type.',
      'Unknown macro | It was replaced by a text. Its macro “$__user” has no equivalent.',
      'From the library | It is a library panel, and no longer changes with its library.',
      'From the library | It was replaced by a text. The file doesn’t contain this library panel.',
      'News | It was replaced by a text. The panel type “news” has no query and no equivalent.',
      'Deployments | Annotations that come from a query were dropped.',
      ' | The links of the dashboard were dropped.',
      'adhoc | Ad hoc filters have no equivalent.',
      ' | Ranges of time are whole days here: “now-30d … now” became “last-30-days-to-now”.',
    ]);
    assert.deepEqual(notesOf('grafana-rows.json'), [
      'Hits | Its alert was dropped.',
      'Sum | Grafana shows “avg” of all rows. Here, it is the value of the first row, or of the last one by time.',
    ]);
    assert.deepEqual(notesOf('grafana-v2.json'), [
      'Logs | It was replaced by a text. Queries of the data source “loki” are not SQL.',
      'Shared | It is a library panel, and no longer changes with its library.',
      'Shared | It was replaced by a text. The file doesn’t contain this library panel.',
      ' | Ranges of time are whole days here: “now-7d … now” became “last-7-days-to-now”.',
    ]);
  });

  test('have tabs and sections for those of Grafana', () => {
    const { documents } = convert(read('grafana-v2.json'));
    // Sound because the last document is the dashboard.
    const { widgets } = documents.at(-1) as ConvertedDashboard;
    assert.deepEqual(
      widgets.map(({ reportId, config }) => [
        reportId.slice(0, 12),
        config?.['title'] ?? '',
        config?.['parent'] ?? '',
      ]),
      [
        ['builtin:tab', 'Numbers', ''],
        ['builtin:sect', 'Week', 'tab-1'],
        [widgets[2]?.reportId.slice(0, 12), '', 'row-1'],
        ['builtin:tab', 'Rest', ''],
        [widgets[4]?.reportId.slice(0, 12), '', 'tab-2'],
        ['builtin:text', 'Logs', 'tab-2'],
        ['builtin:text', 'Shared', 'tab-2'],
        ['builtin:filt', '', ''],
      ],
    );
    assert.match(String(widgets[5]?.config?.['text']), /The original query:\n\n```\n[^]*app=/);
  });

  test('keep every panel, with the same IDs at each import', () => {
    for (const name of readdirSync(folder).filter((each) => each.startsWith('grafana-'))) {
      const [one, other] = [convert(read(name)), convert(read(name))];
      assert.deepEqual(one, other);
      const ids = one.documents.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    }
  });

  test('of Ceph keep every panel, as a text where the query isn’t SQL', () => {
    const ceph = new URL('ceph/', folder);
    const files = readdirSync(ceph).filter((name) => name.endsWith('.json'));
    const counts = files.map((name) => {
      const text = readFileSync(new URL(name, ceph), 'utf8');
      const { documents, notes } = convert(text);
      // Sound because the last document is the dashboard.
      const { widgets } = documents.at(-1) as ConvertedDashboard;
      const shown = widgets.filter(({ reportId }) => reportId === 'builtin:text');
      const { panels } = JSON.parse(text) as { panels: { type: string; panels?: object[] }[] };
      const count = panels.reduce(
        (sum, { type, panels: inside = [] }) => sum + (type === 'row' ? inside.length : 1),
        0,
      );
      assert.ok(shown.length >= count, name);
      return [name, documents.length, count, notes.length];
    });
    assert.deepEqual(counts, [
      ['ceph-cluster.json', 1, 12, 21],
      ['host-details.json', 1, 12, 24],
      ['pool-overview.json', 1, 12, 20],
      ['radosgw-detail.json', 1, 4, 14],
    ]);
  });

  const everything = { multi: true, includeAll: true, query: 'a,b', current: { value: ['a'] } };
  const queries: readonly [what: string, variables: object, sql: string, expected: string][] = [
    [
      'a list with all values',
      variable(everything),
      'select 1 as x where s.a in ($v)',
      'select 1 as x where CAST(s.a AS text) = ANY (coalesce({{v}}, ARRAY[CAST(s.a AS text)]))',
    ],
    [
      'a list that excludes',
      variable({ ...everything, includeAll: false }),
      'select 1 as x where a NOT IN (${v:csv})',
      'select 1 as x where a <> ALL ({{v}})',
    ],
    [
      'a text',
      variable({ query: 'a,b', current: { value: 'a' } }),
      `select 1 as x where a = '$v' or b like '[[v]]%'`,
      `select 1 as x where a = {{v}} or b like (coalesce({{v}}, '') || '%')`,
    ],
    [
      'a number',
      variable({ query: '1,2', current: { value: '1' } }),
      'select 1 as x where a = $v limit ${v}',
      'select 1 as x where a = {{v}} limit {{v}}',
    ],
    [
      'a name',
      variable({ query: 'day,hour', current: { value: 'day' } }),
      'select "$v" as x from $v.t',
      'select "day" as x from day.t',
    ],
    [
      'a comment',
      variable({ query: 'a,b', current: { value: 'a' } }),
      'select 1 as x -- $v {{y}}\n, 2 as z',
      'select 1 as x -- $v {{y}}\n, 2 as z',
    ],
    [
      'a list where one value is expected',
      variable(everything),
      'select 1 as x where a = $v',
      'select 1 as x where CAST(a AS text) = ANY (coalesce({{v}}, ARRAY[CAST(a AS text)]))',
    ],
    [
      'a call with texts',
      variable({ ...everything, includeAll: false }),
      `select 1 as x where split_part(a, ')', 1) in ($v)`,
      `select 1 as x where split_part(a, ')', 1) = ANY ({{v}})`,
    ],
    [
      'a member of JSON',
      variable({ ...everything, includeAll: false }),
      `select 1 as x where d->>'a b' in ($v)`,
      `select 1 as x where d->>'a b' = ANY ({{v}})`,
    ],
    [
      'a number that is not known yet',
      variable({ type: 'query', query: 'select 1' }),
      'select 1 as x where a = $v',
      'select 1 as x where a = {{v}}',
    ],
    [
      'macros of ClickHouse and of a time zone',
      {},
      `select $__timeInterval(t) as a, '$__timezone' as z, $__interval_s as s where t >= $__fromTime`,
      `select to_timestamp(floor((extract(epoch from t)) / 300) * 300) as a, 'UTC' as z, 300 as s where t >= {{time_from}}`,
    ],
    ['braces of another program', {}, `select '{{a}}' as x, 1 as y`, `select '{' || '{a}}' as x, 1 as y`],
  ];
  for (const [what, variables, sql, expected] of queries)
    test(`have a query with ${what}`, () => {
      const { reports } = partsOf({ panels: [queryPanel(sql)], ...variables });
      assert.deepEqual(
        reports.map(({ query }) => query),
        [expected],
      );
    });

  test('list settings whose loss would change the numbers', () => {
    const { notes } = convert(
      JSON.stringify({
        tags: ['a', 'b'],
        refresh: '10s',
        panels: [queryPanel('select 1 as x', { timeFrom: '1h', timeShift: '7d' })],
      }),
    );
    const condition = { conditionalRendering: { spec: { items: [{}] } } };
    const item = (name: string, more: object = {}) => ({
      kind: 'GridLayoutItem',
      spec: { element: { name }, ...more },
    });
    const layouts = convert(
      JSON.stringify({
        elements: {
          one: { spec: { title: 'One', data: { spec: { queryOptions: { timeFrom: '2h' } } } } },
          two: { spec: { title: 'Two' } },
        },
        layout: {
          spec: {
            tabs: [
              {
                spec: {
                  title: 'Tab',
                  repeat: { value: 'v' },
                  ...condition,
                  layout: { spec: { items: [item('one', condition)] } },
                },
              },
            ],
          },
        },
      }),
    );
    assert.deepEqual(
      [...notes, ...layouts.notes].map(({ where, what }) => `${where} | ${what}`),
      [
        'P | It had its own range of time, “1h, 7d”, and now follows the filter of the dashboard.',
        ' | Its tags were dropped: a, b.',
        ' | It refreshed every 10s, which was dropped.',
        'One | It had its own range of time, “2h”, and now follows the filter of the dashboard.',
        'One | It was replaced by a text. The panel type “” has no query and no equivalent.',
        'Tab | It was only shown under a condition, and is always shown.',
        'Tab | The tab was repeated, and is shown once.',
        'One | It was only shown under a condition, and is always shown.',
        'Two | The layout doesn’t show it, so it was dropped.',
      ],
    );
  });

  test('place panels on 12 columns, without overlaps', () => {
    const place = (id: number, x: number, y: number, w: number) => ({
      id,
      type: 'text',
      gridPos: { x, y, w, h: 4 },
    });
    const { widgets } = partsOf({
      panels: [place(1, 0, 5, 24), place(2, 0, 0, 7), place(3, 7, 0, 17), place(4, 23, 9, 99)],
    });
    assert.deepEqual(
      widgets.map(({ layout }) => layout),
      [
        { x: 0, y: 0, w: 4, h: 3 },
        { x: 4, y: 0, w: 8, h: 3 },
        { x: 0, y: 3, w: 12, h: 3 },
        { x: 11, y: 6, w: 1, h: 3 },
      ],
    );
  });

  test('become texts where a query can’t be converted', () => {
    const { reports, widgets } = partsOf({
      panels: [queryPanel('select $__unknown(`a`) ```')],
    });
    assert.deepEqual(reports, []);
    assert.equal(
      widgets[0]?.config?.['text'],
      'Its macro “$__unknown” has no equivalent.\n\nThe original query:\n\n````\nselect $__unknown(`a`) ```\n````',
    );
  });

  test('with unexpected values are read or refused, but never fail', () => {
    const hostile = [
      '{"panels":[{"__proto__":{"type":"row"},"type":"constructor","targets":[{"rawSql":{}}]}]}',
      '{"panels":[null,1,"x",[],{"gridPos":{"x":1e308,"y":-1e308,"w":-1,"h":1e999}}],"templating":{"list":[{"name":"__proto__","type":"query"},{"name":"constructor"}]}}',
      '{"elements":{"__proto__":{}},"layout":{"kind":"GridLayout","spec":{"items":[{"spec":{"element":{"name":"constructor"}}}]}}}',
    ];
    const deep = `${'["a",'.repeat(5_000)}1${']'.repeat(5_000)}`;
    assert.throws(() => detectForeign(`{"panels":[{"targets":[${deep}]}]}`), ImportError);
    for (const text of hostile) assert.equal(convert(text).documents.at(-1)?.format, 'atrium.dashboard/1');
    assert.equal(detectForeign('{"format":"atrium.dashboard/1","widgets":[]}'), undefined);
    assert.equal(detectForeign('not JSON'), undefined);
    assert.throws(() => detectForeign(' '.repeat(4 * 1024 * 1024 + 1)), ImportError);
    const panels = Array.from({ length: 901 }, (_, id) => ({ id, type: 'text' }));
    assert.throws(() => convert(JSON.stringify({ panels })), ImportError);
  });

  test('list at most 1,000 losses, and count the others', () => {
    const panels = Array.from({ length: 600 }, (_, id) => ({
      ...queryPanel('x'),
      id,
      title: `P${id}`,
      type: 'news',
      links: [1],
      targets: [],
    }));
    const { notes, noteCount } = convert(JSON.stringify({ panels }));
    assert.deepEqual([notes.length, noteCount], [1_000, 1_200]);
  });
});
