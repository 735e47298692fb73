import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { VisualizationView } from '../../../visualizations/VisualizationView.tsx';
import { noRowsMessage } from '#charts/messages.ts';
import { WidgetProblem } from '../../results/WidgetProblem.tsx';

/** The result of a widget's report, or why there is none. */
export function EditorWidgetBody({
  title,
  line,
  isLoading,
  onRetry,
}: {
  readonly title: string;
  readonly line: WidgetResult | undefined;
  readonly isLoading: boolean;
  readonly onRetry: () => void;
}): ReactNode {
  if (line === undefined) return isLoading ? <Skeleton h="100%" /> : <WidgetProblem onRetry={onRetry} />;
  if (line.result === undefined || line.visualization === undefined) {
    return <WidgetProblem line={line} onRetry={onRetry} />;
  }
  return (
    <VisualizationView
      visualization={line.visualization}
      result={line.result}
      name={title}
      whenEmpty={noRowsMessage(line.parameters ?? [], {})}
    />
  );
}
