import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import type { ChooseMark, StateOf } from '#charts/marks/mark.ts';
import { headText, pivotWidths } from '#charts/pivot/heads.ts';
import { pivotOf, type Pivot, type PivotColumn, type PivotLine } from '#charts/pivot/pivot.ts';
import { t } from '#shared/language/messages.ts';
import { VirtualTable, type VirtualColumn } from '../../ui/tables/VirtualTable.tsx';
import type { ViewProps } from '../kind.ts';
import { moveBetweenCells } from '../table/cell-keys.ts';
import { PickButton } from '../table/PickButton.tsx';
import tableClasses from '../table/ResultTable.module.css';
import viewClasses from '../VisualizationView.module.css';
import classes from './PivotTable.module.css';

/** A table of groups of rows by groups of columns, with the totals of both. */
export default function PivotTable({
  visualization,
  result,
  name,
  choose,
  stateOf,
}: ViewProps<OfKind<'pivot'>>): ReactNode {
  const pivot = useMemo(() => pivotOf(visualization, result), [visualization, result]);
  // The cell that the Tab key reaches; the arrow keys lead to the others.
  const [active, setActive] = useState({ line: '', column: '' });
  const textOf = useCallback((index: number) => pivot?.lines[index]?.path.join('\n') ?? '', [pivot]);
  const columns = useMemo(() => (pivot === undefined ? [] : columnsOf(pivot)), [pivot]);
  if (pivot === undefined) return null;
  const first = pivot.lines[0]?.key;
  const cells = (line: PivotLine) =>
    pivot.columns.map((column, index) => (
      <Cell
        key={column.key}
        pivot={pivot}
        line={line}
        column={column}
        choose={choose}
        stateOf={stateOf}
        isActive={
          active.line === ''
            ? line.key === first && index === 0
            : active.line === line.key && active.column === column.key
        }
        onFocus={() => setActive({ line: line.key, column: column.key })}
      />
    ));
  const { total } = pivot;
  return (
    <>
      <div className={tableClasses['cells']} onKeyDown={moveBetweenCells}>
        <VirtualTable
          label={t('Pivot table of {name}', { name })}
          className={tableClasses['table']}
          columns={columns}
          rowCount={pivot.lines.length}
          textOf={textOf}
          row={(index) => {
            const line = pivot.lines[index];
            if (line === undefined) return null;
            const before = pivot.lines[index - 1];
            return (
              <>
                {pivot.heads.map((head, depth) => (
                  <td key={head} className={line.isTotal ? classes['total'] : undefined}>
                    <HeadText line={line} depth={depth} before={before} />
                  </td>
                ))}
                {cells(line)}
              </>
            );
          }}
          foot={
            total &&
            (() => (
              <>
                {pivot.heads.map((head, depth) => (
                  <td key={head}>{depth === 0 ? t('Total') : ''}</td>
                ))}
                {cells(total)}
              </>
            ))
          }
        />
      </div>
      {pivot.notes.map((note) => (
        <div key={note} className={viewClasses['note']}>
          {note}
        </div>
      ))}
    </>
  );
}

/** The text of a line in one of the columns that became rows. */
function HeadText(props: {
  readonly line: PivotLine;
  readonly depth: number;
  readonly before: PivotLine | undefined;
}): ReactNode {
  const { text, isRepeated } = headText(props.line, props.depth, props.before);
  // The search and screen readers need the value of every line.
  return isRepeated ? <span className={classes['repeated']}>{text}</span> : text;
}

function columnsOf(pivot: Pivot): VirtualColumn[] {
  const widths = pivotWidths(pivot);
  const labels = [...pivot.heads, ...pivot.columns.map(({ label }) => label)];
  return labels.map((label, index) => ({
    name: label,
    ...(index >= pivot.heads.length && { title: label }),
    widthCh: widths[index] ?? 0,
    isNumber: index >= pivot.heads.length,
    content: <span className={classes['head']}>{label}</span>,
  }));
}

function Cell({
  pivot,
  line,
  column,
  choose,
  stateOf,
  isActive,
  onFocus,
}: {
  readonly pivot: Pivot;
  readonly line: PivotLine;
  readonly column: PivotColumn;
  readonly choose: ChooseMark | undefined;
  readonly stateOf: StateOf | undefined;
  readonly isActive: boolean;
  readonly onFocus: () => void;
}): ReactNode {
  const text = pivot.textOf(line, column);
  const mark = choose && pivot.markOf(line, column);
  const isEmphasized = mark !== undefined && stateOf?.(mark) === true;
  const className = isEmphasized
    ? tableClasses['selected']
    : line.isTotal || column.isTotal
      ? classes['total']
      : undefined;
  return (
    <td data-end className={className}>
      {mark === undefined ? (
        text
      ) : (
        <PickButton
          mark={mark}
          text={text}
          isPicked={isEmphasized}
          isActive={isActive}
          choose={choose}
          onFocus={onFocus}
        >
          {text}
        </PickButton>
      )}
    </td>
  );
}
