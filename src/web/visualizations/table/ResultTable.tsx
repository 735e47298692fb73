import { UnstyledButton, VisuallyHidden, useComputedColorScheme } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { ReportResult } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { IsPicked, Picked } from '../kind.ts';
import classes from './ResultTable.module.css';
import { chartTheme, resolveColor, type ChartTheme } from '../echarts/palette.ts';
import { toNumber } from '../values/result-values.ts';
import { tableColumns, type TableColumn } from './columns.ts';
import { exactSum } from '../values/exact-sum.ts';
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
  isPicked,
}: {
  readonly result: Pick<ReportResult, 'columns' | 'rows'>;
  readonly name: string;
  readonly visualization?: Visualization;
  readonly pickable?: ReadonlySet<string>;
  readonly onPick?: ((picked: readonly Picked[]) => void) | undefined;
  readonly isPicked?: IsPicked | undefined;
}): ReactNode {
  const theme = chartTheme(useComputedColorScheme('light') === 'dark');
  const [chosen, setOrder] = useState<RowOrder>();
  const order = chosen ?? (visualization?.kind === 'table' ? visualization.sort : undefined);
  const columns = useMemo(() => tableColumns(result, visualization), [result, visualization]);
  const rows = useMemo(() => orderRows(result, order), [result, order]);
  const textOf = useCallback(
    (index: number) => columns.map((column) => column.format(rows[index]?.[column.index])).join('\n'),
    [columns, rows],
  );
  const hasTotals = visualization?.kind === 'table' && visualization.hasTotals === true;
  return (
    <VirtualTable
      label={`Table of ${name}`}
      className={classes['table']}
      columns={columns.map((column) => {
        const direction = order?.field === column.name ? order.direction : undefined;
        return {
          name: column.label,
          title: column.sourceType,
          widthCh: column.widthCh,
          isNumber: column.isNumber,
          sort: direction,
          content: (
            <ColumnHead
              label={column.label}
              direction={direction}
              onSort={(next) => setOrder({ field: column.name, direction: next })}
            />
          ),
        };
      })}
      rowCount={rows.length}
      textOf={textOf}
      foot={hasTotals ? (indexes) => <Totals columns={columns} rows={rows} indexes={indexes} /> : undefined}
      row={(index) =>
        columns.map((column) => (
          <Cell
            key={column.index}
            column={column}
            value={rows[index]?.[column.index]}
            theme={theme}
            onPick={pickable.has(column.name) ? onPick : undefined}
            isPicked={isPicked?.(column.name, rows[index]?.[column.index]) === true}
          />
        ))
      }
    />
  );
}

function ColumnHead({
  label,
  direction,
  onSort,
}: {
  readonly label: string;
  readonly direction: RowOrder['direction'] | undefined;
  readonly onSort: (direction: RowOrder['direction']) => void;
}): ReactNode {
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton
      className={classes['head']}
      onClick={() => onSort(direction === 'ascending' ? 'descending' : 'ascending')}
    >
      <span className={classes['label']}>{label}</span>
      {direction !== undefined && <Arrow size={14} aria-hidden />}
    </UnstyledButton>
  );
}

/** The sums of columns. Undefined `indexes` are all rows. */
function Totals({
  columns,
  rows,
  indexes,
}: {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly indexes: readonly number[] | undefined;
}): ReactNode {
  const sums = useMemo(() => {
    const summed = indexes?.map((at) => rows[at]) ?? rows;
    return columns.map(({ index, hasTotal }) =>
      hasTotal ? exactSum(summed.map((row) => row?.[index])) : undefined,
    );
  }, [columns, rows, indexes]);
  return columns.map((column, index) => {
    const sum = sums[index];
    const text = sum === undefined ? '' : column.format(sum);
    return (
      <td key={column.index} data-end={column.isNumber || undefined} title={text || undefined}>
        {index === 0 && <span className={classes['total']}>Total</span>}
        {text}
      </td>
    );
  });
}

function Cell({
  column,
  value,
  theme,
  onPick,
  isPicked,
}: {
  readonly column: TableColumn;
  readonly value: unknown;
  readonly theme: ChartTheme;
  readonly onPick: ((picked: readonly Picked[]) => void) | undefined;
  readonly isPicked: boolean;
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
          aria-pressed={isPicked}
          onClick={() => onPick([{ field: column.name, value }])}
          aria-label={`Filter by ${column.label}: ${text}`}
        >
          {text}
        </UnstyledButton>
      )}
    </td>
  );
}
