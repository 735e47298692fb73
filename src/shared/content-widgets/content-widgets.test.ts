import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { contentOf, contentKinds, contentWidgetId, nameOfContent } from './content-widgets.ts';

const widget = (reportId: string, config: Readonly<Record<string, unknown>> = {}) => ({ reportId, config });

const imageId = 'ab'.repeat(32);

describe('the content of a widget', () => {
  const link = { label: 'Guide', url: '/guide' };
  const cases: readonly [what: string, stored: ReturnType<typeof widget>, content: unknown][] = [
    [
      'is a text with its title',
      widget('builtin:text', { text: '# Hi', title: ' Note ', color: 'red' }),
      { kind: 'text', text: '# Hi', title: 'Note' },
    ],
    ['is undefined for an empty text', widget('builtin:text', { text: ' \n' }), undefined],
    ['is undefined for a number as text', widget('builtin:text', { text: 7 }), undefined],
    ['is undefined for a long text', widget('builtin:text', { text: 'x'.repeat(20_001) }), undefined],
    [
      'is a heading, large unless it says otherwise',
      widget('builtin:heading', { text: 'Costs', size: 'huge' }),
      { kind: 'heading', text: 'Costs', size: 'large' },
    ],
    [
      'is a small heading',
      widget('builtin:heading', { text: 'Costs', size: 'small' }),
      { kind: 'heading', text: 'Costs', size: 'small' },
    ],
    [
      'is a list of those links that are allowed',
      widget('builtin:links', {
        title: 7,
        links: [
          link,
          { label: 'Script', url: 'javascript:alert(1)' },
          { url: 'https://example.com', description: 'An example' },
          { label: 'x'.repeat(201), url: '/long' },
          'text',
          null,
        ],
      }),
      {
        kind: 'links',
        links: [
          link,
          { label: 'https://example.com', url: 'https://example.com', description: 'An example' },
          { label: '/long', url: '/long' },
        ],
      },
    ],
    [
      'has at most 50 links',
      widget('builtin:links', { links: Array.from({ length: 80 }, () => link) }),
      {
        kind: 'links',
        links: Array.from({ length: 50 }, () => link),
      },
    ],
    [
      'is an image by its ID, whole and without a link unless it says otherwise',
      widget('builtin:image', { image: ` ${imageId} `, fit: 'huge', url: 'javascript:alert(1)' }),
      { kind: 'image', source: { id: imageId }, description: '', fit: 'whole' },
    ],
    [
      'is an image of data',
      widget('builtin:image', {
        image: '{{Boats > photo}}',
        title: 'Boat',
        description: ' A boat ',
        fit: 'fill',
        url: '/boats',
      }),
      {
        kind: 'image',
        title: 'Boat',
        source: {
          reference: { source: 'Boats > photo', columns: [{ title: 'Boats', column: 'photo' }] },
        },
        description: 'A boat',
        fit: 'fill',
        url: '/boats',
      },
    ],
    ['is no image at an address', widget('builtin:image', { image: 'https://evil.no/a.png' }), undefined],
    ['is no image of two values', widget('builtin:image', { image: '{{a}}{{b}}' }), undefined],
    ['is undefined without links', widget('builtin:links', { links: { 0: link } }), undefined],
    ['is a divider', widget('builtin:divider', { anything: 1 }), { kind: 'divider' }],
    ['is undefined for a report', widget('builtin:section', { text: 'a' }), undefined],
  ];
  for (const [what, stored, content] of cases) test(what, () => assert.deepEqual(contentOf(stored), content));

  test('is read from any config', () => {
    const config = fc.record({
      text: fc.anything(),
      title: fc.anything(),
      links: fc.anything(),
      image: fc.anything(),
      url: fc.anything(),
    });
    fc.assert(
      fc.property(fc.constantFrom(...contentKinds), config, (kind, given) => {
        const stored = widget(contentWidgetId(kind), given);
        contentOf(stored);
        assert.ok(nameOfContent(stored));
      }),
    );
  });
});

test('the name of a widget has the beginning of what it shows', () => {
  assert.equal(nameOfContent(widget('builtin:heading', { text: 'Costs' })), 'Heading “Costs”');
  assert.equal(
    nameOfContent(widget('builtin:text', { text: '\n---\n## **Welcome** to the board\nmore' })),
    'Text “Welcome to the board”',
  );
  assert.equal(
    nameOfContent(widget('builtin:text', { text: 'word '.repeat(40) })),
    `Text “${'word '.repeat(8).trim()}…”`,
  );
  assert.equal(nameOfContent(widget('builtin:text', { text: 'a', title: 'Note' })), 'Text “Note”');
  assert.equal(nameOfContent(widget('builtin:text', {})), 'Text');
  assert.equal(nameOfContent(widget('builtin:links', { links: [{ url: '/a' }] })), 'Links “/a”');
  assert.equal(nameOfContent(widget('builtin:divider')), 'Divider');
  assert.equal(nameOfContent(widget('01a1feec-0325-7000-8188-5a8423f9b2e3')), undefined);
});
