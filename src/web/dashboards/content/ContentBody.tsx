import { useMemo, type ReactNode } from 'react';
import { valueOfReference, type ReferenceContext } from '#charts/content/reference-values.ts';
import type { Content } from '#shared/content-widgets/content-widgets.ts';
import { partsOf, type Reference } from '#shared/content-widgets/references.ts';
import classes from './ContentBody.module.css';
import { ContentLinks } from './ContentLinks.tsx';
import { ImageContent } from './ImageContent.tsx';
import { MarkdownText, type ContentLevel } from './MarkdownText.tsx';
import { ReferenceText, type ValueOf } from './ReferenceText.tsx';

/** What a widget without a report shows. References are replaced by their values. */
export function ContentBody({
  content,
  level,
  context,
}: {
  readonly content: Content;
  readonly level: ContentLevel;
  readonly context: ReferenceContext;
}): ReactNode {
  const valueOf: ValueOf = (reference: Reference) => valueOfReference(reference, context);
  switch (content.kind) {
    case 'text':
      return <MarkdownText text={content.text} level={level} valueOf={valueOf} />;
    case 'heading':
      return <HeadingText {...content} level={level} valueOf={valueOf} />;
    case 'image':
      return <ImageContent content={content} context={context} />;
    case 'links':
      return <ContentLinks links={content.links} />;
    case 'divider':
      return <hr className={classes['divider']} />;
  }
}

function HeadingText({
  text,
  size,
  level,
  valueOf,
}: {
  readonly text: string;
  readonly size: string;
  readonly level: ContentLevel;
  readonly valueOf: ValueOf;
}): ReactNode {
  const parts = useMemo(() => partsOf(text), [text]);
  const Heading = `h${level}` as const;
  return (
    <Heading className={classes['heading']} data-size={size}>
      <ReferenceText parts={parts} valueOf={valueOf} />
    </Heading>
  );
}
