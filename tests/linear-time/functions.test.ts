import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from '../../src/server/base/texts/folded-text.ts';
import { parseJson } from '../../src/server/base/texts/json.ts';
import { parseJsonBody } from '../../src/server/http/request/json-body.ts';
import { readEntityTags } from '../../src/server/http/response/entity-tags.ts';
import { readCookie } from '../../src/server/http/session-cookie.ts';
import { readArray, readRow } from '../../src/server/engine/postgresql/literals.ts';
import { firstWord } from '../../src/server/engine/first-word.ts';
import { trimStatement } from '../../src/shared/sql/statement.ts';
import { positionsIn } from '../../src/server/engine/text-offsets.ts';
import { withinDeadline } from '../../src/server/sso/protocol/provider/refusal.ts';
import { SignInRefusal } from '../../src/server/sso/protocol/sign-in-refusal.ts';
import { findPlaceholders } from '../../src/shared/sql/placeholders.ts';
import { findColumnFaults } from '../../src/shared/visualizations/fields.ts';
import { safeHref } from '../../src/shared/links.ts';
import { partsOf } from '../../src/shared/content-widgets/references.ts';
import { fillTemplate } from '../../src/shared/visualizations/template.ts';
import { convertNative } from '../../src/shared/importers/metabase/native.ts';
import { parseYaml } from '../../src/shared/importers/metabase/yaml.ts';
import { detectForeign } from '../../src/shared/importers/detect.ts';
import { watchThreadCpuTime } from '../support/cpu-time.ts';
import { growthOf, maxGrowth } from './growth.ts';

const columns = Array.from({ length: 50 }, (_, index) => ({
  name: `column ${index}`,
  type: 'text' as const,
  sourceType: 'text',
}));

/** Imports a dashboard with one panel. */
function importedFrom(panel: object): unknown {
  const variable = { name: 'v', type: 'custom', multi: true, query: 'a', current: { value: ['a'] } };
  const dashboard = { title: 'D', panels: [panel], templating: { list: [variable] } };
  const source = { name: 'Shop', kind: 'files' } as const;
  return detectForeign(JSON.stringify(dashboard))?.convert(new Map([['default', source]]));
}

/** Functions that parse untrusted text, each with the parts that hostile input repeats. */
const readers: readonly { name: string; read: (text: string) => unknown; repeated: readonly string[] }[] = [
  {
    name: 'JSON',
    read: orError((text) => parseJson(text)),
    repeated: ['"\\n" ', '{"\\n":', '"', '\\"', '[', ' '],
  },
  {
    name: 'a query of Grafana',
    read: (text) => importedFrom({ type: 'table', targets: [{ rawSql: `select ${text.slice(0, 99_000)}` }] }),
    repeated: [
      'a,',
      '(',
      "'",
      '"',
      '$__time(',
      '$__time(a)',
      '$v ',
      '[[v]]',
      '--',
      'in ($v) ',
      '= $v ',
      "->>'a' in ($v) ",
      "f('') in ($v) ",
      'count(*),',
      '{{',
      '`',
    ],
  },
  {
    name: 'HTML of Grafana',
    read: (text) => importedFrom({ type: 'text', options: { mode: 'html', content: text } }),
    repeated: ['<', '<script>', '<script></script>', '<br>', '&amp;', '$v', '\n '],
  },
  {
    name: 'YAML of Metabase',
    read: orError((text) => parseYaml('a', text)),
    repeated: ['a: 1\n', '[', '&a ', '? ', '"'],
  },
  {
    name: 'a native query of Metabase',
    read: orError((text) => convertNative(`select ${text.slice(0, 99_000)}`, [], () => undefined)),
    repeated: ['[[', '[[and {{a}}]] ', '{{', '{{ ', '{{a}}', "'", '--', '/*'],
  },
  {
    name: 'a body',
    read: orError((text) => parseJsonBody(Buffer.from(`{"a":[${text}0]}`))),
    repeated: ['{"a":0,"a":1},', '"\\u0000",', '{"__proto__":0},', ' ', '"\\n",'],
  },
  {
    name: 'a cookie',
    read: (text) => readCookie(text, 'auth.session_token'),
    repeated: [' ', ';', '=', 'auth.session_token', 'auth.session_token=;', '; '],
  },
  { name: 'entity tags', read: readEntityTags, repeated: ['"', 'W/', 'W/"a', '"a" '] },
  {
    name: 'the placeholders of a query',
    read: findPlaceholders,
    repeated: [
      '{{',
      '{{ ',
      '{{a}}',
      "'{{a}}'",
      '$a',
      '$a$',
      '$aaaaaaaa$a',
      "'",
      "''",
      "E'",
      "E'a'\n",
      '--',
      '/*',
      '$1 ',
      '\n{{a}}',
    ],
  },
  { name: 'a statement', read: trimStatement, repeated: [';', ' ', '/**/', '--\n', "''", '$$'] },
  { name: 'the first word', read: firstWord, repeated: ['/**/', '/*', ' ', '--\n'] },
  {
    name: 'the positions in a text',
    read: (text) => Array.from({ length: text.length / 8 }, (_, index) => index).map(positionsIn(text)),
    repeated: ['\n', '\r', 'a'],
  },
  { name: 'an array of PostgreSQL', read: readArray, repeated: ['a,', '"a\\"",', ',', '"'] },
  { name: 'a row of PostgreSQL', read: readRow, repeated: ['(a,', '("""', ',', '\\'] },
  {
    name: 'the columns of a text',
    read: (text) => findColumnFaults({ kind: 'text', text }, { '/text': 'template' }, columns),
    repeated: ['{{', '{{ ', '{{a', '{{a}}', ' '],
  },
  {
    name: 'a text with its values',
    read: (text) => fillTemplate(text, (column) => column),
    repeated: ['{{', '{{ ', '{{a', '{{a}}', ' '],
  },
  {
    name: 'the references in a text',
    read: partsOf,
    repeated: ['{{', '{{ ', '{{a>', '>', '{{a>b}}', '}}', ' ', '\uE000'],
  },
  { name: 'a link', read: safeHref, repeated: ['/', '../', 'https://', 'mailto:', '@', '%', '?', ' '] },
];

for (const { name, read, repeated } of readers) {
  test(`reads ${name} in linear time`, () => {
    for (const before of ['', ...repeated]) {
      for (const part of repeated) {
        const growth = growthOf((length) => {
          const text = `${before}${part.repeat(Math.ceil(length / part.length))}!`;
          return () => read(text);
        });
        const input = `${JSON.stringify(before)} + ${JSON.stringify(part)} × n`;
        assert.ok(
          growth === undefined || growth < maxGrowth,
          `${input} takes ${growth} times as long for n × 4`,
        );
      }
    }
  });
}

function orError(read: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      return error;
    }
  };
}

test('folds combining marks in linear time', () => {
  const text = '\u0301\u0323'.repeat(5_000);
  const elapsedMs = watchThreadCpuTime();
  for (let round = 0; round < 50; round += 1) wordsOf(text);
  assert.ok(elapsedMs() < 1_000);
});

test('removes tokens from the message of a provider in linear time', async () => {
  const elapsedMs = watchThreadCpuTime();
  const text = 'eyJ'.repeat(40_000);
  await assert.rejects(
    withinDeadline({ secrets: ['a secret of the test'], isPrivateHost: false }, () =>
      Promise.reject(
        new SignInRefusal('x', {
          message: `${text} eyJhbGciOi.eyJz.c2ln! a secret of the test`,
          remedy: '',
        }),
      ),
    ),
    { message: `${text} …! …` },
  );
  assert.ok(elapsedMs() < 1_000);
});
