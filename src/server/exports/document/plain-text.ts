import { parseMarkdown, type Block, type Inline } from '#charts/content/markdown.ts';
import type { Content } from '#shared/content-widgets/content-widgets.ts';
import { partsOf } from '#shared/content-widgets/references.ts';
import { textOfParts, type ValueOf } from '../drawing/content/runs.ts';

/** Returns what a widget without a report says, as a text without styles; empty for a divider. */
export function plainTextOf(content: Content | undefined, valueOf: ValueOf): string {
  switch (content?.kind) {
    case 'text':
      return textOfBlocks(parseMarkdown(content.text).blocks, valueOf).join('\n');
    case 'heading':
      return textOfParts(partsOf(content.text), valueOf);
    case 'links':
      return content.links
        .map(({ label, url, description }) =>
          [
            label === url ? url : `${label} (${url})`,
            ...(description === undefined ? [] : [description]),
          ].join('\n'),
        )
        .join('\n');
    case 'image':
      return content.description;
    case 'divider':
    case undefined:
      return '';
  }
}

const textOfBlocks = (blocks: readonly Block[], valueOf: ValueOf): string[] =>
  blocks.flatMap((block) => textOfBlock(block, valueOf));

function textOfBlock(block: Block, valueOf: ValueOf): string[] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return [textOfInlines(block.children, valueOf)];
    case 'quote':
      return textOfBlocks(block.children, valueOf).map((line) => `> ${line}`);
    case 'list':
      return block.items.flatMap(({ isDone, children }, index) => {
        const marker = block.start === undefined ? '•' : `${block.start + index}.`;
        const task = isDone === undefined ? '' : isDone ? '☑ ' : '☐ ';
        const [first = '', ...others] = textOfBlocks(children, valueOf);
        return [`${marker} ${task}${first}`, ...others.map((line) => `  ${line}`)];
      });
    case 'code':
      return block.text.split('\n');
    case 'table':
      return block.rows.map((row) => row.map((cell) => textOfInlines(cell, valueOf)).join(' | '));
    case 'rule':
      return ['—'];
  }
}

const textOfInlines = (inlines: readonly Inline[], valueOf: ValueOf): string =>
  inlines.map((inline) => textOfInline(inline, valueOf)).join('');

function textOfInline(inline: Inline, valueOf: ValueOf): string {
  switch (inline.kind) {
    case 'text':
      return textOfParts(inline.parts, valueOf);
    case 'code':
      return inline.text;
    case 'image':
      return inline.description;
    case 'break':
      return '\n';
    case 'emphasis':
    case 'strong':
    case 'deleted':
      return textOfInlines(inline.children, valueOf);
    case 'link': {
      const text = textOfInlines(inline.children, valueOf);
      return text === inline.href || `${text}/` === inline.href ? text : `${text} (${inline.href})`;
    }
  }
}
