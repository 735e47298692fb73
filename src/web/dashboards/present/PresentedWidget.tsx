import { Skeleton, Text } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { noRowsMessage } from '#charts/messages.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { t } from '#shared/language/messages.ts';
import { VisualizationView } from '../../visualizations/VisualizationView.tsx';
import { reportValues, type FilterContext } from '../filters/report-values.ts';
import type { ShownWidget } from '../results/shown-widgets.ts';
import { WidgetProblem } from '../results/WidgetProblem.tsx';
import classes from '../view/WidgetCard.module.css';

/** A widget as a presentation shows it: without a menu, and without links to anything else. */
export function PresentedWidget({
  widget,
  line,
  isOld,
  isMissing,
  context,
  onRetry,
}: ShownWidget & { readonly context: FilterContext; readonly onRetry: () => void }): ReactNode {
  const titleId = useId();
  const title = titleOf({ widget, line }) ?? (line?.problem && untitled(line.problem)) ?? '';
  const result = line?.result;
  return (
    <article className={classes['card']} aria-labelledby={titleId} aria-busy={line === undefined || isOld}>
      <header className={classes['head']}>
        <Text component="h2" id={titleId} className={classes['title']}>
          {title}
        </Text>
      </header>
      <div className={classes['body']}>
        {line === undefined && !isMissing ? (
          <Skeleton h="100%" />
        ) : line === undefined || result === undefined || line.visualization === undefined ? (
          <WidgetProblem {...(line !== undefined && { line })} onRetry={onRetry} />
        ) : (
          <VisualizationView
            visualization={line.visualization}
            result={result}
            name={title}
            isTable={false}
            whenEmpty={noRowsMessage(line.parameters ?? [], reportValues(widget, line, context))}
          />
        )}
      </div>
    </article>
  );
}

/** A display doesn't know the title of what it must not show. */
const untitled = ({ code }: { readonly code: string }): string =>
  code === 'not_shown' ? t('Not shown') : t('Unknown report');
