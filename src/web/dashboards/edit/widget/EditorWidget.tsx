import { Skeleton, Text } from '@mantine/core';
import { lazy, memo, Suspense, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { contentKindOf } from '#shared/content-widgets/content-widgets.ts';
import { loadChunk } from '../../../ui/connection/chunks.ts';
import classes from './EditorWidget.module.css';
import { EditorWidgetBody } from './EditorWidgetBody.tsx';
import { EditorWidgetMenu } from './EditorWidgetMenu.tsx';
import type { DraftWidget } from '../draft/content.ts';
import type { WidgetActions } from './use-widget-actions.ts';

const EditorContent = lazy(async () => ({
  default: (await loadChunk('EditorContent', () => import('../content/EditorContent.tsx'))).EditorContent,
}));

/** A widget in the editor. People drag it by its header, or press Enter to move it with the keyboard. */
export const EditorWidget = memo(function EditorWidget({
  widgetKey,
  title,
  position,
  isMoving,
  isAdded,
  isStacked,
  actions,
  reportId,
  config,
  line,
  isLoading,
  onRetry,
}: {
  readonly widgetKey: string;
  readonly title: string;
  /** Its position and size, in words. */
  readonly position: string;
  readonly isMoving: boolean;
  /** Whether it was just added: it is scrolled into view and gets the focus. */
  readonly isAdded: boolean;
  /** Whether it is in one column, where it can only move up and down. */
  readonly isStacked: boolean;
  readonly actions: WidgetActions;
  readonly reportId: string;
  readonly config: DraftWidget['config'];
  readonly line: WidgetResult | undefined;
  /** Whether its result is loading. */
  readonly isLoading: boolean;
  readonly onRetry: () => void;
}): ReactNode {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isMoving) card.current?.focus();
  }, [isMoving]);
  useEffect(() => {
    if (!isAdded) return;
    card.current?.scrollIntoView({ block: 'center' });
    card.current?.focus({ preventScroll: true });
  }, [isAdded]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    if (isMoving && actions.handleKey(event.key, event.shiftKey)) event.preventDefault();
    else if (event.key === 'Enter' && !isMoving && !isStacked) {
      event.preventDefault();
      actions.beginMove(widgetKey);
    }
  };
  const kind = contentKindOf({ reportId });
  // In one row, there is no space for a title above what they show.
  const isCompact = kind === 'heading' || kind === 'divider';
  const handle = isStacked ? undefined : true;
  return (
    <article
      ref={card}
      className={classes['card']}
      aria-roledescription="widget"
      aria-label={isStacked ? title : `${title}: ${position}`}
      tabIndex={0}
      data-moving={isMoving || undefined}
      data-compact={isCompact || undefined}
      data-drag-handle={isCompact ? handle : undefined}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        // Its menu, which started the move, loses the focus to the widget while it is still closing.
        if (isMoving && event.target === event.currentTarget) actions.endMove();
      }}
    >
      <header className={classes['head']} data-drag-handle={isCompact ? undefined : handle}>
        {!isCompact && (
          <Text fw={600} size="sm" truncate flex={1} title={title}>
            {title}
          </Text>
        )}
        <EditorWidgetMenu widgetKey={widgetKey} title={title} isStacked={isStacked} actions={actions} />
      </header>
      <div className={classes['body']}>
        {kind === undefined ? (
          <EditorWidgetBody title={title} line={line} isLoading={isLoading} onRetry={onRetry} />
        ) : (
          <Suspense fallback={<Skeleton h="100%" />}>
            <EditorContent widget={{ reportId, config }} />
          </Suspense>
        )}
      </div>
    </article>
  );
});
