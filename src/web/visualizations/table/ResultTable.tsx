import { UnstyledButton, VisuallyHidden, useComputedColorScheme } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ReportResult } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { Picked } from '../kind.ts';
import classes from './ResultTable.module.css';
import { chartTheme, resolveColor, type ChartTheme } from '../echarts/palette.ts';
import { toNumber } from '../values/result-values.ts';
import { tableColumns, type TableColumn } from './columns.ts';
import { reachedThreshold } from '../values/thresholds.ts';
import { orderRows, type RowOrder } from '../values/value-order.ts';
import { VirtualTable } from '../../ui/tables/VirtualTable.tsx';

const noFields: ReadonlySet<string> = new Set();

/** The rows of a result. Clicking a column header sorts by that column. */
export function ResultTable({
  result,
  name,
  visualization,
  pickable = noFields,
  onPick,
}: {
  readonly result: Pick<ReportResult, 'columns' | 'rows'>;
  readonly name: string;
  readonly visualization?: Visualization;
  readonly pickable?: ReadonlySet<string>;
  readonly onPick?: ((picked: readonly Picked[]) => void) | undefined;
}): ReactNode {
  const theme = chartTheme(useComputedColorScheme('light') === 'dark');
  const [chosen, setOrder] = useState<RowOrder>();
  const order = chosen ?? (visualization?.kind === 'table' ? visualization.sort : undefined);
  const columns = useMemo(() => tableColumns(result, visualization), [result, visualization]);
  const rows = useMemo(() => orderRows(result, order), [result, order]);
  return (
    <VirtualTable
      label={`Table of ${name}`}
      className={classes['table']}
      widthsCh={columns.map(({ widthCh }) => widthCh)}
      head={columns.map((column) => (
        <ColumnHead
          key={column.index}
          column={column}
          direction={order?.field === column.name ? order.direction : undefined}
          onSort={(direction) => setOrder({ field: column.name, direction })}
        />
      ))}
      rowCount={rows.length}
      row={(index) =>
        columns.map((column) => (
          <Cell
            key={column.index}
            column={column}
            value={rows[index]?.[column.index]}
            theme={theme}
            onPick={pickable.has(column.name) ? onPick : undefined}
          />
        ))
      }
    />
  );
}

function ColumnHead({
  column,
  direction,
  onSort,
}: {
  readonly column: TableColumn;
  readonly direction: RowOrder['direction'] | undefined;
  readonly onSort: (direction: RowOrder['direction']) => void;
}): ReactNode {
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      data-end={column.isNumber || undefined}
      {...(direction !== undefined && { 'aria-sort': direction })}
      title={column.sourceType}
    >
      <UnstyledButton
        className={classes['head']}
        onClick={() => onSort(direction === 'ascending' ? 'descending' : 'ascending')}
      >
        <span className={classes['label']}>{column.label}</span>
        {direction !== undefined && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

function Cell({
  column,
  value,
  theme,
  onPick,
}: {
  readonly column: TableColumn;
  readonly value: unknown;
  readonly theme: ChartTheme;
  readonly onPick: ((picked: readonly Picked[]) => void) | undefined;
}): ReactNode {
  const text = column.format(value);
  const reached = reachedThreshold(column.thresholds, toNumber(value));
  return (
    <td data-end={column.isNumber || undefined} title={text.length > column.widthCh - 3 ? text : undefined}>
      {reached !== undefined && (
        <span className={classes['mark']} style={{ background: resolveColor(reached.color, theme) }} />
      )}
      {reached?.label !== undefined && <VisuallyHidden>{reached.label}: </VisuallyHidden>}
      {onPick === undefined ? (
        text
      ) : (
        <UnstyledButton
          className={classes['pick']}
          onClick={() => onPick([{ field: column.name, value }])}
          aria-label={`Filter by ${column.label}: ${text}`}
        >
          {text}
        </UnstyledButton>
      )}
    </td>
  );
}
