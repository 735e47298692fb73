import { Text } from '@mantine/core';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { contentOf, nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { partsOf } from '#shared/content-widgets/references.ts';
import { shownValue, valueOfReference, type ReferenceContext } from '#charts/content/reference-values.ts';
import { invalidContentMessage } from './invalid-content.ts';
import { ContentBody } from './ContentBody.tsx';
import classes from './ContentFrame.module.css';

/** A widget without a report as readers see it: texts and lists of links in a card, with their title. */
export function ContentFrame({
  widget,
  level,
  context,
}: {
  readonly widget: { readonly reportId: string; readonly config: Readonly<Record<string, unknown>> };
  readonly level: 2 | 3 | 4;
  readonly context: ReferenceContext;
}): ReactNode {
  const content = contentOf(widget);
  const titleId = useId();
  const body = useRef<HTMLDivElement>(null);
  const isScrollable = useIsScrollable(body);
  if (content?.kind === 'heading' || content?.kind === 'divider') {
    return (
      <div className={classes['bare']}>
        <ContentBody content={content} level={level} context={context} />
      </div>
    );
  }
  const title = content?.title;
  const Title = `h${level}` as const;
  return (
    <article
      className={classes['card']}
      data-kind={content?.kind}
      {...(title === undefined
        ? { 'aria-label': nameWithValues(nameOfContent(widget) ?? '', context) }
        : { 'aria-labelledby': titleId })}
    >
      {title !== undefined && (
        <Title id={titleId} className={classes['title']}>
          {title}
        </Title>
      )}
      <div ref={body} className={classes['body']} {...(isScrollable && { tabIndex: 0 })}>
        {content === undefined ? (
          <Text size="sm" c="dimmed">
            {invalidContentMessage}
          </Text>
        ) : (
          <ContentBody
            content={content}
            level={title === undefined ? level : below[level]}
            context={context}
          />
        )}
      </div>
    </article>
  );
}

/** Returns a name with the values of its references. */
const nameWithValues = (name: string, context: ReferenceContext): string =>
  partsOf(name)
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = valueOfReference(part, context);
      return value.kind === 'value' ? shownValue(value.text) : '…';
    })
    .join('');

const below = { 2: 3, 3: 4, 4: 5 } as const;

/** Returns whether an element has more content than it shows. Only then can it get the focus, to be scrolled by keyboard. */
function useIsScrollable(element: RefObject<HTMLElement | null>): boolean {
  const [isScrollable, setIsScrollable] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const check = () =>
      setIsScrollable(
        current.scrollHeight > current.clientHeight || current.scrollWidth > current.clientWidth,
      );
    const observer = new ResizeObserver(check);
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => observer.disconnect();
  }, [element]);
  return isScrollable;
}
