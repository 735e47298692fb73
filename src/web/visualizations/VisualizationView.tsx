import { Alert, Center, List, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { loadChunk } from '../ui/connection/chunks.ts';
import { chartLoaders } from '#charts/charts.ts';
import type { ChartKind } from '#charts/drawing/chart.ts';
import type { KindName } from '#charts/kind.ts';
import { byKind, defineView, type View, type ViewProps } from './kind.ts';
import { copiedText, markWriter, type IsPicked, type Mark } from '#charts/marks/mark.ts';
import { MarkMenu } from './marks/MarkMenu.tsx';
import { SelectionBar } from './marks/SelectionBar.tsx';
import { useSelection } from './marks/use-selection.ts';
import { ResultTable } from './table/ResultTable.tsx';
import classes from './VisualizationView.module.css';
import { withLabels } from '#charts/labels.ts';
import { faultMessages } from '#charts/messages.ts';
import { t } from '#shared/language/messages.ts';

const views = new Map([
  ...byKind(import.meta.glob<View>('./*/view.tsx', { eager: true, import: 'default' })),
  ...[...chartLoaders].map(([kind, load]) => [kind, chartView(kind, load)] as const),
]);

/** Returns the component of a kind that ECharts draws, which is loaded when it is shown for the first time. */
function chartView(name: KindName, load: () => Promise<ChartKind>): View {
  const View = lazy(async () => {
    const [{ ChartView, addParts }, kind] = await Promise.all([
      loadChunk('ChartView', () => import('./echarts/ChartView.tsx')),
      loadChunk(name, load),
    ]);
    addParts(kind);
    return { default: (props: ViewProps<Visualization>) => <ChartView {...props} kind={kind} /> };
  });
  return defineView(name, (props) => <View {...props} />);
}

interface VisualizationViewProps {
  readonly visualization: Visualization;
  readonly result: ReportResult;
  /** The name of the chart, for people who use a screen reader. */
  readonly name: string;
  /** Whether to show the rows instead of the chart. */
  readonly isTable?: boolean;
  /** What the menu of marks offers besides copying; if it is left out, marks can't be clicked. */
  readonly actionsFor?: ((marks: readonly Mark[]) => ReactNode) | undefined;
  /** Marks of picked values are emphasized. */
  readonly isPicked?: IsPicked | undefined;
  /** The text for a result without rows. */
  readonly whenEmpty?: string;
}

/** A result in its visualization, which fills its container; as a table if the columns don't fit. */
export function VisualizationView(props: VisualizationViewProps): ReactNode {
  const { result, actionsFor, isPicked } = props;
  // The same one for the same result, so that charts aren't rendered again.
  const visualization = useMemo(() => withLabels(props.visualization, result), [props.visualization, result]);
  const selection = useSelection(result, isPicked);
  const { marks, menuAt, isKept, choose, stateOf } = selection;
  return (
    <div className={classes['visualization']}>
      {isKept && <SelectionBar count={marks.length} onOpen={selection.openMenu} onClear={selection.clear} />}
      <Shown {...props} visualization={visualization} choose={actionsFor && choose} stateOf={stateOf} />
      {result.isCutOff && (
        <div className={classes['note']}>
          {t('Only the first {rowCount, plural, one {# row} other {# rows}} are shown.', {
            rowCount: result.rowCount,
          })}
        </div>
      )}
      {menuAt !== undefined && marks.length > 0 && (
        <MarkMenu
          at={menuAt}
          title={titleOf(marks, result)}
          copied={() => copiedText(marks, result)}
          onSelectMore={selection.selectMore}
          onClose={selection.closeMenu}
        >
          {actionsFor?.(marks)}
        </MarkMenu>
      )}
    </div>
  );
}

const titleOf = (marks: readonly Mark[], result: ReportResult): string => {
  const [mark] = marks;
  return mark !== undefined && marks.length === 1
    ? markWriter(result)(mark)
    : t('{count} selected', { count: marks.length });
};

function Shown({
  visualization,
  result,
  name,
  isTable = false,
  choose,
  stateOf,
  whenEmpty = t('No rows'),
}: VisualizationViewProps & Pick<ViewProps<Visualization>, 'choose' | 'stateOf'>): ReactNode {
  const view = views.get(visualization.kind);
  // A table leaves out missing columns, so it has no faults.
  const faults =
    result.faults.length > 0 && view !== undefined ? (
      <Faults visualization={visualization} faults={result.faults} />
    ) : null;
  if (isTable || view === undefined || (faults !== null && !view.isAlwaysShown)) {
    return (
      <>
        {faults}
        <ResultTable
          result={result}
          name={name}
          visualization={visualization}
          choose={choose}
          stateOf={stateOf}
        />
      </>
    );
  }
  if (result.rows.length === 0 && !view.isAlwaysShown) {
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
      <view.View
        visualization={visualization}
        result={result}
        name={name}
        choose={choose}
        stateOf={stateOf}
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
  <Alert color="yellow" variant="light" p="xs" mb="xs" title={t("The result doesn't fit this chart")}>
    <List size="sm">
      {faultMessages(visualization, faults).map((message) => (
        <List.Item key={message}>{message}</List.Item>
      ))}
    </List>
  </Alert>
);
