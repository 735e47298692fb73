import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseReference } from '#shared/content-widgets/references.ts';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import { parseMarkdown, type Block, type Inline } from './markdown.ts';

/** Returns blocks as a text that looks like HTML, with references in braces. */
const outline = (blocks: readonly Block[]): string => blocks.map(blockOutline).join('');

function blockOutline(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${inlineOutline(block.children)}</p>`;
    case 'heading':
      return `<h${block.depth}>${inlineOutline(block.children)}</h${block.depth}>`;
    case 'quote':
      return `<quote>${outline(block.children)}</quote>`;
    case 'list':
      return `<list ${block.start ?? ''}>${block.items
        .map(({ isDone, children }) => `<item ${isDone ?? ''}>${outline(children)}</item>`)
        .join('')}</list>`;
    case 'code':
      return `<pre>${block.text}</pre>`;
    case 'table':
      return `<table ${block.alignments.join()}>${block.rows
        .map((row) => row.map(inlineOutline).join(' | '))
        .join(' / ')}</table>`;
    case 'rule':
      return '<rule>';
  }
}

const inlineOutline = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline): string => {
      switch (inline.kind) {
        case 'text':
          return inline.parts.map((part) => (typeof part === 'string' ? part : `[${part.source}]`)).join('');
        case 'code':
          return `<code>${inline.text}</code>`;
        case 'link':
          return `<a ${inline.href}>${inlineOutline(inline.children)}</a>`;
        case 'image':
          return `<img ${inline.id.slice(0, 4)} ${inline.description}>`;
        case 'break':
          return '<br>';
        default:
          return `<${inline.kind}>${inlineOutline(inline.children)}</${inline.kind}>`;
      }
    })
    .join('');

const imageId = 'ab'.repeat(32);

const cases: readonly (readonly [what: string, text: string, shown: string])[] = [
  [
    'paragraphs and emphasis',
    'a *b* **c** ~~d~~\n\ne',
    '<p>a <emphasis>b</emphasis> <strong>c</strong> <deleted>d</deleted></p><p>e</p>',
  ],
  ['headings', '# a\n###### b', '<h1>a</h1><h6>b</h6>'],
  [
    'lists and tasks',
    '3. a\n4. b\n\n- [x] c\n- [ ] d',
    '<list 3><item ><p>a</p></item><item ><p>b</p></item></list><list ><item true><p>c</p></item><item false><p>d</p></item></list>',
  ],
  [
    'a table, with as many cells in each row',
    '|a|b|\n|-|-:|\n|1|\n|1|2|3|',
    '<table ,right>a | b / 1 |  / 1 | 2</table>',
  ],
  [
    'quotes, code and rules',
    '> a\n\n`b`\n\n```js\nc\n```\n\n---',
    '<quote><p>a</p></quote><p><code>b</code></p><pre>c</pre><rule>',
  ],
  [
    'links',
    '[a](/b) <https://c.no> [d]\n\n[d]: mailto:e@f.no',
    '<p><a /b>a</a> <a https://c.no/>https://c.no</a> <a mailto:e@f.no>d</a></p>',
  ],
  [
    'HTML as text',
    '<b onclick="x()">*a*</b>\n\n<script>\nalert(1)\n</script>',
    '<p><b onclick="x()"><emphasis>a</emphasis></b></p><p><script>\nalert(1)\n</script></p>',
  ],
  [
    'a link that is not allowed as text',
    '[a](javascript:alert(1)) [b](//evil.no)',
    '<p>a (javascript:alert(1)) b (//evil.no)</p>',
  ],
  [
    'an entity that makes a script of an address as text',
    '[a](java&#x73;cript:alert)',
    '<p>a (javascript:alert)</p>',
  ],
  ['images as their description', '![A *cat*](https://evil.no/pixel.png)', '<p>A cat</p>'],
  [
    'uploaded images, and no others',
    `![A *cat*](image:${imageId}) ![b][c] ![d](image:${imageId}0) ![e](image:https://evil.no)\n\n[c]: image:${imageId}`,
    '<p><img abab A cat> <img abab b> d e</p>',
  ],
  ['footnotes as text', 'a[^1]', '<p>a[^1]</p>'],
  [
    'references, also in links and emphasis',
    '**{{A *b* > c}}** [to {{d}}](/e)',
    '<p><strong>[A *b* > c]</strong> <a /e>to [d]</a></p>',
  ],
  [
    'references in code and addresses as written',
    '`{{a}}` [b](/{{c}})\n\n    {{d}}',
    '<p><code>{{a}}</code> b (/{{c}})</p><pre>{{d}}</pre>',
  ],
];

describe('Markdown shows', () => {
  for (const [what, text, shown] of cases)
    test(what, () => assert.equal(outline(parseMarkdown(text).blocks), shown));

  test('no part that its values could change', () => {
    const { references } = parseMarkdown('{{a}} {{b > c}}');
    assert.deepEqual(references, [parseReference('a'), parseReference('b > c')]);
  });

  test('deeply nested content up to a limit, and the rest as its text', () => {
    const depthOf = (blocks: readonly Block[]): number =>
      Math.max(0, ...blocks.map((block) => (block.kind === 'quote' ? 1 + depthOf(block.children) : 0)));
    const { blocks } = parseMarkdown(`${'> '.repeat(60)}deep`);
    assert.ok(depthOf(blocks) <= 41);
    assert.match(outline(blocks), /deep/);
  });
});

const size = 20_000;
const filled = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size);
const hostile = [
  '>',
  '> ',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '1) ',
  '> - ',
  '\t> ',
  '*',
  '**',
  '_',
  '*a ',
  '**a',
  'a**b',
  '*a_ ',
  '[',
  ']',
  '![',
  '[](',
  '[a](',
  '[a]: b\n',
  '[a][',
  '[a]',
  '\\',
  '`',
  '``a`',
  '~',
  '~~a',
  '<',
  '<a',
  '<!--',
  '<a href="',
  '&',
  '&amp',
  '|',
  '|-',
  '|a|\n|-|\n',
  '|a\n',
  '-',
  '=',
  '#',
  '# \n',
  '\n',
  '\n\n',
  ' \n',
  '\t',
  'www.',
  'www.a.',
  'http://',
  'http://a@',
  'a@a.',
  'a@',
  'a.a',
  '(',
  ')',
  '"',
  "'",
  '{{',
  '{{a}}',
  '}}',
  '{{a>',
  '- a\n  ',
  '1. a\n\n   ',
  '```',
  '```\n',
  '~~~\n',
  '\uE000',
  '\u0000',
  '\uD800',
  '[^a]',
  '[^a]: b\n',
  '***',
  'a\n=\n',
  '> \n',
  '>\n>\n',
  '- [ ] ',
  '| - ',
  '&#0;',
  '\\\n',
  'a\r> ',
  '\r',
  '  \n',
  '[a](<',
  '[a](b "',
  '![a](b)',
];
const nested = Array.from({ length: 24 }, (_, line) => ' '.repeat(line * 62) + '- '.repeat(31)).join('a\n');
const emphasized = '*a '.repeat(size / 6) + 'a* '.repeat(size / 6);
const brackets = '['.repeat(size / 2) + ']'.repeat(size / 2);

/** Returns how many cells and characters a document has, in all its parts. */
function sizeOf(part: unknown): { readonly cells: number; readonly characters: number } {
  if (typeof part === 'string') return { cells: 0, characters: part.length };
  if (typeof part !== 'object' || part === null) return { cells: 0, characters: 0 };
  const inside = Object.values(part).map(sizeOf);
  const own = 'rows' in part ? (part.rows as readonly unknown[][]).flat().length : 0;
  return {
    cells: inside.reduce((sum, { cells }) => sum + cells, own),
    characters: inside.reduce((sum, { characters }) => sum + characters, 0),
  };
}

describe('a short text never shows much', () => {
  const header = `${'|a'.repeat(2_500)}\n${'|-'.repeat(2_500)}\n`;
  const texts: readonly string[] = [
    header + '|\n'.repeat(4_999),
    header + '|a|a|\n'.repeat(1_600),
    `[a]: javascript:${'x'.repeat(9_900)}\n\n${'[a]'.repeat(3_300)}`,
  ];
  for (const text of texts)
    test(JSON.stringify(text.slice(-6)), () => {
      const { cells, characters } = sizeOf(parseMarkdown(text).blocks);
      assert.ok(cells <= size, `${cells} cells`);
      assert.ok(characters <= 50 * size, `${characters} characters`);
    });
});

describe('hostile Markdown is parsed quickly', () => {
  const texts: readonly string[] = [
    ...hostile.map(filled),
    nested,
    emphasized,
    brackets,
    `${filled('[a](').slice(0, size / 2)}${filled('*a **b ').slice(0, size / 2)}`,
  ];
  for (const text of texts) {
    test(JSON.stringify(text.slice(0, 12)), () => {
      const cpuMs = watchThreadCpuTime();
      const { blocks } = parseMarkdown(text);
      // The slowest takes 1 to 2 s on a busy machine; those that were not linear took 8 s and more.
      assert.ok(cpuMs() < 5_000, `${cpuMs()} ms`);
      outline(blocks);
    });
  }
});
