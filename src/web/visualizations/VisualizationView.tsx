import { Alert, Center, List, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import type { ReportResult } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { loadChunk } from '../ui/connection/chunks.ts';
import { byKind, type IsPicked, type Picked, type View } from './kind.ts';
import { ResultTable } from './table/ResultTable.tsx';
import classes from './VisualizationView.module.css';
import { faultMessages } from './messages.ts';

const noFields: ReadonlySet<string> = new Set();

const ChartView = lazy(() => loadChunk('ChartView', () => import('./echarts/ChartView.tsx')));
const views = byKind(import.meta.glob<View>('./*/view.tsx', { eager: true, import: 'default' }));

interface VisualizationViewProps {
  readonly visualization: Visualization;
  readonly result: ReportResult;
  /** The name of the chart, for people who use a screen reader. */
  readonly name: string;
  /** Whether to show the rows instead of the chart. */
  readonly isTable?: boolean;
  /** The columns whose values can be picked by a click, which calls `onPick`. */
  readonly pickable?: ReadonlySet<string>;
  readonly onPick?: (picked: readonly Picked[]) => void;
  /** Picked values are emphasized. */
  readonly isPicked?: IsPicked;
  /** The text for a result without rows. */
  readonly whenEmpty?: string;
}

/** A result in its visualization, which fills its container; as a table if the columns don't fit. */
export const VisualizationView = (props: VisualizationViewProps): ReactNode => (
  <div className={classes['visualization']}>
    <Shown {...props} />
    {props.result.isCutOff && (
      <div className={classes['note']}>
        Only the first {props.result.rowCount.toLocaleString()} rows are shown.
      </div>
    )}
  </div>
);

function Shown({
  visualization,
  result,
  name,
  isTable = false,
  pickable = noFields,
  onPick,
  isPicked,
  whenEmpty = 'No rows',
}: VisualizationViewProps): ReactNode {
  const { View, isAlwaysShown } = views.get(visualization.kind) ?? { View: ChartView, isAlwaysShown: false };
  const isRows = visualization.kind === 'table';
  // A table leaves out missing columns, so it has no faults.
  const faults =
    result.faults.length > 0 && !isRows ? (
      <Faults visualization={visualization} faults={result.faults} />
    ) : null;
  if (isTable || isRows || (faults !== null && !isAlwaysShown)) {
    return (
      <>
        {faults}
        <ResultTable
          result={result}
          name={name}
          visualization={visualization}
          pickable={pickable}
          onPick={onPick}
          isPicked={isPicked}
        />
      </>
    );
  }
  if (result.rows.length === 0 && !isAlwaysShown) {
    return (
      <Center className={classes['whole']}>
        <Text c="dimmed" ta="center" p="xs" style={{ overflowWrap: 'anywhere' }}>
          {whenEmpty}
        </Text>
      </Center>
    );
  }
  return (
    <Suspense fallback={<Skeleton className={classes['whole']} />}>
      <View
        visualization={visualization}
        result={result}
        name={name}
        pickable={pickable}
        onPick={onPick}
        isPicked={isPicked}
      />
      {faults}
    </Suspense>
  );
}

const Faults = ({
  visualization,
  faults,
}: {
  readonly visualization: Visualization;
  readonly faults: ReportResult['faults'];
}): ReactNode => (
  <Alert color="yellow" variant="light" p="xs" mb="xs" title="The result doesn't fit this chart">
    <List size="sm">
      {faultMessages(visualization, faults).map((message) => (
        <List.Item key={message}>{message}</List.Item>
      ))}
    </List>
  </Alert>
);
