import { UnstyledButton, useComputedColorScheme } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ChooseMark, StateOf } from '#charts/marks/mark.ts';
import { Cell } from './Cell.tsx';
import { moveBetweenCells } from './cell-keys.ts';
import classes from './ResultTable.module.css';
import { chartTheme } from '#charts/drawing/palette.ts';
import type { ResultRows } from '#charts/values/result-values.ts';
import { tableColumns, type TableColumn } from '#charts/table/columns.ts';
import { exactSum } from '#charts/values/exact-sum.ts';
import { orderRows, type RowOrder } from '#charts/values/value-order.ts';
import { t } from '#shared/language/messages.ts';
import { VirtualTable } from '../../ui/tables/VirtualTable.tsx';

/** The rows of a result. Clicking a column header sorts by that column, and clicking a cell offers what can be done with it. */
export function ResultTable({
  result,
  name,
  visualization,
  choose,
  stateOf,
}: {
  readonly result: ResultRows;
  readonly name: string;
  readonly visualization?: Visualization;
  readonly choose?: ChooseMark | undefined;
  readonly stateOf?: StateOf | undefined;
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
  // The cell that the Tab key reaches; the arrow keys lead to the others.
  const [active, setActive] = useState({ row: 0, column: 0 });
  const table = (
    <VirtualTable
      label={t('Table of {name}', { name })}
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
        columns.map((column, at) => (
          <Cell
            key={column.index}
            column={column}
            row={rows[index] ?? []}
            theme={theme}
            choose={choose}
            stateOf={stateOf}
            isActive={active.row === index && active.column === at}
            onFocus={() => setActive({ row: index, column: at })}
          />
        ))
      }
    />
  );
  if (choose === undefined) return table;
  return (
    <div className={classes['cells']} onKeyDown={moveBetweenCells}>
      {table}
    </div>
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
        {index === 0 && <span className={classes['total']}>{t('Total')}</span>}
        {text}
      </td>
    );
  });
}
