import { Fragment, useMemo, type ReactNode } from 'react';
import { parseMarkdown, type Block, type Inline, type ListItem } from '#charts/content/markdown.ts';
import { t } from '#shared/language/messages.ts';
import { ContentAnchor } from './ContentAnchor.tsx';
import { ContentImage } from './ContentImage.tsx';
import classes from './MarkdownText.module.css';
import { ReferenceText, type ValueOf } from './ReferenceText.tsx';

/** The level of the first heading: the page's title is at level 1. */
export type ContentLevel = 2 | 3 | 4 | 5;

interface Frame {
  readonly level: ContentLevel;
  readonly valueOf: ValueOf;
}

/** A text in Markdown. Its headings begin at `level`. */
export function MarkdownText({ text, ...frame }: Frame & { readonly text: string }): ReactNode {
  const { blocks } = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className={classes['markdown']}>
      <Blocks of={blocks} {...frame} />
    </div>
  );
}

// Parts of a parsed text have no identity but their place.

const Blocks = ({ of, ...frame }: Frame & { readonly of: readonly Block[] }): ReactNode =>
  of.map((block, index) => <BlockView key={index} block={block} {...frame} />);

const Inlines = ({ of, ...frame }: Frame & { readonly of: readonly Inline[] }): ReactNode =>
  of.map((inline, index) => <InlineView key={index} inline={inline} {...frame} />);

function BlockView({ block, ...frame }: Frame & { readonly block: Block }): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Inlines of={block.children} {...frame} />
        </p>
      );
    case 'heading': {
      const Heading = headings[Math.min(frame.level + block.depth - 1, 6)] ?? 'h6';
      return (
        <Heading data-depth={block.depth}>
          <Inlines of={block.children} {...frame} />
        </Heading>
      );
    }
    case 'quote':
      return (
        <blockquote>
          <Blocks of={block.children} {...frame} />
        </blockquote>
      );
    case 'list':
      return <ListView list={block} {...frame} />;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'table':
      return <TableView table={block} {...frame} />;
    case 'rule':
      return <hr />;
  }
}

const headings: Readonly<Record<number, 'h2' | 'h3' | 'h4' | 'h5' | 'h6'>> = {
  2: 'h2',
  3: 'h3',
  4: 'h4',
  5: 'h5',
};

function ListView({
  list: { start, items },
  ...frame
}: Frame & { readonly list: Extract<Block, { kind: 'list' }> }): ReactNode {
  const children = items.map((item, index) => <ItemView key={index} item={item} {...frame} />);
  if (start !== undefined) return <ol start={start}>{children}</ol>;
  return <ul data-tasks={items.every(({ isDone }) => isDone !== undefined) || undefined}>{children}</ul>;
}

const ItemView = ({
  item: { isDone, children },
  ...frame
}: Frame & { readonly item: ListItem }): ReactNode => (
  <li>
    {isDone !== undefined && (
      <input type="checkbox" checked={isDone} disabled aria-label={isDone ? t('Done') : t('Not done')} />
    )}
    {children.map((block, index) => {
      // A paragraph that is all of an item would be far from the next item.
      const isOnly = block.kind === 'paragraph' && (children.length === 1 || index === 0);
      return isOnly ? (
        <Fragment key={index}>
          <Inlines of={block.children} {...frame} />
        </Fragment>
      ) : (
        <BlockView key={index} block={block} {...frame} />
      );
    })}
  </li>
);

function TableView({
  table: { rows, alignments },
  ...frame
}: Frame & { readonly table: Extract<Block, { kind: 'table' }> }): ReactNode {
  const [head = [], ...body] = rows;
  return (
    <div className={classes['table']} tabIndex={0} role="group" aria-label={t('Table')}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col" data-align={alignments[index]}>
                <Inlines of={cell} {...frame} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} data-align={alignments[index]}>
                  <Inlines of={cell} {...frame} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function InlineView({ inline, ...frame }: Frame & { readonly inline: Inline }): ReactNode {
  switch (inline.kind) {
    case 'text':
      return <ReferenceText parts={inline.parts} valueOf={frame.valueOf} />;
    case 'emphasis':
      return (
        <em>
          <Inlines of={inline.children} {...frame} />
        </em>
      );
    case 'strong':
      return (
        <strong>
          <Inlines of={inline.children} {...frame} />
        </strong>
      );
    case 'deleted':
      return (
        <del>
          <Inlines of={inline.children} {...frame} />
        </del>
      );
    case 'code':
      return <code>{inline.text}</code>;
    case 'link':
      return (
        <ContentAnchor href={inline.href}>
          <Inlines of={inline.children} {...frame} />
        </ContentAnchor>
      );
    case 'image':
      return <ContentImage image={{ id: inline.id }} description={inline.description} />;
    case 'break':
      return <br />;
  }
}
