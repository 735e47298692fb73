import { Text } from '@mantine/core';
import { memo, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import classes from './EditorWidget.module.css';
import { EditorWidgetBody } from './EditorWidgetBody.tsx';
import { EditorWidgetMenu } from './EditorWidgetMenu.tsx';
import type { WidgetActions } from './use-widget-actions.ts';

/** A widget in the editor: by its head it is dragged, and by Enter it is moved by keys. */
export const EditorWidget = memo(function EditorWidget({
  widgetKey,
  title,
  place,
  isMoving,
  isStacked,
  actions,
  line,
  isReading,
  onRetry,
}: {
  readonly widgetKey: string;
  readonly title: string;
  /** Where it lies, in words. */
  readonly place: string;
  readonly isMoving: boolean;
  /** In one column, where there are no places to move to but up and down. */
  readonly isStacked: boolean;
  readonly actions: WidgetActions;
  readonly line: WidgetResult | undefined;
  /** Whether its line is on its way. */
  readonly isReading: boolean;
  readonly onRetry: () => void;
}): ReactNode {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isMoving) card.current?.focus();
  }, [isMoving]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    if (isMoving && actions.takeKey(event.key, event.shiftKey)) event.preventDefault();
    else if (event.key === 'Enter' && !isMoving && !isStacked) {
      event.preventDefault();
      actions.beginMove(widgetKey);
    }
  };
  return (
    <article
      ref={card}
      className={classes['card']}
      aria-roledescription="widget"
      aria-label={isStacked ? title : `${title}: ${place}`}
      tabIndex={0}
      data-moving={isMoving || undefined}
      onKeyDown={onKeyDown}
      onBlur={isMoving ? actions.endMove : undefined}
    >
      <header className={classes['head']} data-drag-handle={isStacked ? undefined : true}>
        <Text fw={600} size="sm" truncate flex={1} title={title}>
          {title}
        </Text>
        <EditorWidgetMenu widgetKey={widgetKey} title={title} isStacked={isStacked} actions={actions} />
      </header>
      <div className={classes['body']}>
        <EditorWidgetBody title={title} line={line} isReading={isReading} onRetry={onRetry} />
      </div>
    </article>
  );
});
