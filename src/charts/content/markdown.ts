import type { Nodes, PhrasingContent, RootContent, TableRow } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { maxTextLength } from '#shared/content-widgets/content-widgets.ts';
import { imageScheme, isImageId } from '#shared/images/image-value.ts';
import { safeHref } from '#shared/links.ts';
import {
  asWritten,
  hasReference,
  maskReferences,
  unmask,
  type Reference,
  type TextPart,
} from '#shared/content-widgets/references.ts';
import { withFewMarks } from './few-marks.ts';

/** A part of a line. Nothing but `text` has references, so that a value can't become Markdown or a link. */
export type Inline =
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'emphasis' | 'strong' | 'deleted'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly kind: 'image'; readonly id: string; readonly description: string }
  | { readonly kind: 'break' };

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | {
      readonly kind: 'list';
      /** The number of its first item; undefined if it isn't numbered. */
      readonly start: number | undefined;
      readonly items: readonly ListItem[];
    }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly alignments: readonly ('left' | 'center' | 'right' | undefined)[];
      /** The first is the header. Each has as many cells, unless the table is so large that missing ones aren't added. */
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' };

export interface ListItem {
  /** Whether a task is done; undefined if it is no task. */
  readonly isDone: boolean | undefined;
  readonly children: readonly Block[];
}

/** What a text shows: blocks of these kinds and nothing else. */
export interface MarkdownDocument {
  readonly blocks: readonly Block[];
  readonly references: readonly Reference[];
}

/** Deeper content is shown as its text: browsers and React go into it recursively. */
const maxDepth = 40;
/** A row needs two characters, and a column four: with empty cells where a row has none, a short text would have millions of them. */
const maxFilledCells = 5_000;
/** A definition has an address once, which each link to it shows if it isn't allowed. */
const maxShownUrlLength = 200;

const options = {
  // HTML is text, and footnotes would need addresses that are different for each widget.
  extensions: [
    gfm(),
    {
      disable: {
        null: [
          'htmlFlow',
          'htmlText',
          'gfmFootnoteCall',
          'gfmFootnoteDefinition',
          'gfmPotentialFootnoteCall',
        ],
      },
    },
  ],
  mdastExtensions: [gfmFromMarkdown()],
};

/**
 * Returns what a text in Markdown (CommonMark with the tables, tasks, strikethrough and links of GitHub) shows. Anything that isn't
 * allowed, such as HTML or a link to a script, is shown as text. A text that is too long or can't be parsed is one paragraph.
 */
export function parseMarkdown(text: string): MarkdownDocument {
  const { masked, references } = maskReferences(text.slice(0, maxTextLength).toWellFormed());
  try {
    const root = fromMarkdown(withFewMarks(masked), options);
    const reader: Reader = { references, urls: urlsOf(root.children) };
    return { blocks: root.children.flatMap((node) => toBlocks(reader, node, 0)), references };
  } catch (error) {
    // The parser calls itself; a text may be nested deeper than its stack allows.
    if (!(error instanceof RangeError)) throw error;
    return { blocks: [{ kind: 'paragraph', children: [textOf(masked, references)] }], references };
  }
}

interface Reader {
  readonly references: readonly Reference[];
  /** The addresses that links refer to by a name. */
  readonly urls: ReadonlyMap<string, string>;
}

const urlsOf = (nodes: readonly RootContent[]): Map<string, string> =>
  new Map(
    nodes
      .flatMap((node) => (node.type === 'definition' ? [[node.identifier, node.url] as const] : []))
      // The first definition of a name applies.
      .toReversed(),
  );

const textOf = (masked: string, references: readonly Reference[]): Inline => ({
  kind: 'text',
  parts: unmask(masked, references),
});

function toBlocks(reader: Reader, node: RootContent, depth: number): Block[] {
  if (depth > maxDepth) return flattened(reader, node);
  const blocksIn = (nodes: readonly RootContent[]) =>
    nodes.flatMap((each) => toBlocks(reader, each, depth + 1));
  const inlinesIn = (nodes: readonly PhrasingContent[]) =>
    nodes.flatMap((each) => toInlines(reader, each, depth + 1));
  switch (node.type) {
    case 'paragraph':
      return [{ kind: 'paragraph', children: inlinesIn(node.children) }];
    case 'heading':
      return [{ kind: 'heading', depth: node.depth, children: inlinesIn(node.children) }];
    case 'blockquote':
      return [{ kind: 'quote', children: blocksIn(node.children) }];
    case 'list': {
      const items = node.children.map(({ checked, children }) => ({
        isDone: checked ?? undefined,
        children: blocksIn(children),
      }));
      return [{ kind: 'list', start: node.ordered === true ? (node.start ?? 1) : undefined, items }];
    }
    case 'code':
      return [{ kind: 'code', text: asWritten(node.value, reader.references) }];
    case 'table': {
      const width = node.children[0]?.children.length ?? 0;
      const alignments = Array.from({ length: width }, (_, index) => node.align?.[index] ?? undefined);
      const filledWidth = width * node.children.length > maxFilledCells ? 0 : width;
      const rows = node.children.map((row) => cellsOf(row, width, filledWidth, inlinesIn));
      return [{ kind: 'table', alignments, rows }];
    }
    case 'thematicBreak':
      return [{ kind: 'rule' }];
    case 'definition':
      return [];
    default:
      return flattened(reader, node);
  }
}

/** Returns up to `width` cells of a row, and empty ones if it has less than `filledWidth`. */
const cellsOf = (
  { children }: TableRow,
  width: number,
  filledWidth: number,
  inlinesIn: (nodes: readonly PhrasingContent[]) => Inline[],
): Inline[][] =>
  Array.from({ length: Math.max(filledWidth, Math.min(width, children.length)) }, (_, index) =>
    inlinesIn(children[index]?.children ?? []),
  );

function toInlines(reader: Reader, node: PhrasingContent, depth: number): Inline[] {
  const { references } = reader;
  if (depth > maxDepth) return [textOf(plainText(node), references)];
  const inlinesIn = (nodes: readonly PhrasingContent[]) =>
    nodes.flatMap((each) => toInlines(reader, each, depth + 1));
  switch (node.type) {
    case 'text':
      return [textOf(node.value, references)];
    case 'emphasis':
    case 'strong':
      return [{ kind: node.type, children: inlinesIn(node.children) }];
    case 'delete':
      return [{ kind: 'deleted', children: inlinesIn(node.children) }];
    case 'inlineCode':
      return [{ kind: 'code', text: asWritten(node.value, references) }];
    case 'break':
      return [{ kind: 'break' }];
    case 'link':
      return linkTo(node.url, inlinesIn(node.children), references);
    case 'linkReference':
      return linkTo(reader.urls.get(node.identifier), inlinesIn(node.children), references);
    case 'image':
      return [imageAt(node.url, node.alt ?? '', references)];
    case 'imageReference':
      return [imageAt(reader.urls.get(node.identifier), node.alt ?? '', references)];
    default:
      return [textOf(plainText(node), references)];
  }
}

/** Returns a link; if its address isn't allowed, what the link shows, followed by the address as text. */
function linkTo(
  url: string | undefined,
  children: readonly Inline[],
  references: readonly Reference[],
): Inline[] {
  const href = url === undefined || hasReference(url) ? undefined : safeHref(url);
  if (href !== undefined) return [{ kind: 'link', href, children }];
  return [...children, { kind: 'text', parts: [` (${shortened(asWritten(url ?? '', references))})`] }];
}

const shortened = (url: string): string =>
  url.length <= maxShownUrlLength ? url : `${url.slice(0, maxShownUrlLength).toWellFormed()}…`;

/**
 * Returns an image; if its address isn't that of an uploaded one, its description as text, so that no text makes a request
 * elsewhere.
 */
function imageAt(url: string | undefined, description: string, references: readonly Reference[]): Inline {
  const id = url?.startsWith(imageScheme) === true ? url.slice(imageScheme.length) : '';
  return isImageId(id)
    ? { kind: 'image', id, description: asWritten(description, references) }
    : textOf(description, references);
}

const flattened = (reader: Reader, node: Nodes): Block[] => [
  { kind: 'paragraph', children: [textOf(plainText(node), reader.references)] },
];

/** Returns the text in a node. Without recursion, because it may be nested very deeply. */
function plainText(node: Nodes): string {
  const texts: string[] = [];
  const waiting: Nodes[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('value' in next) texts.push(next.value);
    else if ('alt' in next) texts.push(next.alt ?? '');
    if ('children' in next) waiting.push(...next.children.toReversed());
  }
  return texts.join(' ');
}
