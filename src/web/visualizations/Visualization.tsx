import { Alert, Center, List, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import type { ReportResult } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { Picked } from './echarts/chart.ts';
import classes from './Visualization.module.css';
import { summarize } from './summary.ts';
import { faultWords, fillText } from './words.ts';
import { NumberDrawing } from './number/NumberView.tsx';
import { ResultTable } from './table/ResultTable.tsx';

const ChartDrawing = lazy(() => import('./echarts/Chart.tsx'));
const noFields: ReadonlySet<string> = new Set();

interface DrawingProps {
  readonly visualization: Visualization;
  readonly result: ReportResult;
  /** What it is a drawing of, for whoever does not see it. */
  readonly name: string;
  /** Whether the rows are shown in the place of the chart. */
  readonly isTable?: boolean;
  /** The columns whose values a click picks, and what is then called. */
  readonly pickable?: ReadonlySet<string>;
  readonly onPick?: (picked: readonly Picked[]) => void;
  /** What stands where there is nothing to draw. */
  readonly whenEmpty?: string;
}

/** An answer as its visualization describes it, as high and as wide as its place; as a table when it does not fit. */
export const Drawing = (props: DrawingProps): ReactNode => (
  <div className={classes['drawing']}>
    <Drawn {...props} />
    {props.result.isCutOff && (
      <div className={classes['note']}>
        Only the first {props.result.rowCount.toLocaleString()} rows are here.
      </div>
    )}
  </div>
);

function Drawn({
  visualization,
  result,
  name,
  isTable = false,
  pickable,
  onPick,
  whenEmpty = 'No rows',
}: DrawingProps): ReactNode {
  const hasFaults = result.faults.length > 0 && visualization.kind !== 'table';
  if (isTable || visualization.kind === 'table' || (hasFaults && visualization.kind !== 'text')) {
    return (
      <>
        {hasFaults && <Faults visualization={visualization} faults={result.faults} />}
        <ResultTable
          result={result}
          name={name}
          visualization={visualization}
          pickable={pickable ?? noFields}
          onPick={onPick}
        />
      </>
    );
  }
  if (visualization.kind === 'text') {
    return (
      <Text component="div" className={classes['text']}>
        {fillText(visualization.text, result)}
        {hasFaults && <Faults visualization={visualization} faults={result.faults} />}
      </Text>
    );
  }
  if (result.rows.length === 0) {
    return (
      <Center className={classes['whole']}>
        <Text c="dimmed" ta="center" p="xs" style={{ overflowWrap: 'anywhere' }}>
          {whenEmpty}
        </Text>
      </Center>
    );
  }
  if (visualization.kind === 'number') return <NumberDrawing visualization={visualization} result={result} />;
  return (
    <Suspense fallback={<Skeleton className={classes['whole']} />}>
      <ChartDrawing
        visualization={visualization}
        result={result}
        label={summarize(name, visualization, result)}
        pickable={pickable ?? noFields}
        onPick={onPick}
      />
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
  <Alert color="yellow" variant="light" p="xs" mb="xs" title="This cannot be drawn as described">
    <List size="sm">
      {faultWords(visualization, faults).map((words) => (
        <List.Item key={words}>{words}</List.Item>
      ))}
    </List>
  </Alert>
);
