import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import type { ChooseMark, StateOf } from '#charts/marks/mark.ts';
import { pivotOf, type Pivot, type PivotColumn, type PivotLine } from '#charts/pivot/pivot.ts';
import { VirtualTable, type VirtualColumn } from '../../ui/tables/VirtualTable.tsx';
import type { ViewProps } from '../kind.ts';
import { moveBetweenCells } from '../table/cell-keys.ts';
import { PickButton } from '../table/PickButton.tsx';
import tableClasses from '../table/ResultTable.module.css';
import viewClasses from '../VisualizationView.module.css';
import classes from './PivotTable.module.css';

/** The lines that determine the width of a column. */
const measuredLines = 100;
const minWidthCh = 8;
const maxWidthCh = 32;

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
          label={`Pivot table of ${name}`}
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
                    {headText(line, depth, before)}
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
                  <td key={head}>{depth === 0 ? 'Total' : ''}</td>
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

/** Returns the text of a line in one of the columns that became rows. A value isn't repeated below itself. */
function headText(line: PivotLine, depth: number, before: PivotLine | undefined): ReactNode {
  const text = line.path[depth];
  if (line.isTotal) return depth === line.path.length - 1 ? `Total ${text ?? ''}` : '';
  const isRepeated =
    before !== undefined &&
    !before.isTotal &&
    depth < line.path.length - 1 &&
    line.path.slice(0, depth + 1).every((part, at) => before.path[at] === part);
  // The search and screen readers need the value of every line.
  return isRepeated ? <span className={classes['repeated']}>{text}</span> : text;
}

function columnsOf({ heads, columns, lines, total, textOf }: Pivot): VirtualColumn[] {
  const sample = [...lines.slice(0, measuredLines), ...(total === undefined ? [] : [total])];
  const widthOf = (label: string, texts: readonly string[]) => {
    const longest = texts.reduce((most, { length }) => Math.max(most, length), label.length);
    return Math.min(Math.max(longest + 4, minWidthCh), maxWidthCh);
  };
  return [
    ...heads.map((head, depth) => ({
      name: head,
      widthCh: widthOf(
        head,
        sample.map(({ path, isTotal }) => `${isTotal ? 'Total ' : ''}${path[depth] ?? ''}`),
      ),
      isNumber: false,
      content: <span className={classes['head']}>{head}</span>,
    })),
    ...columns.map((column) => ({
      name: column.label,
      title: column.label,
      widthCh: widthOf(
        column.label,
        sample.map((line) => textOf(line, column)),
      ),
      isNumber: true,
      content: <span className={classes['head']}>{column.label}</span>,
    })),
  ];
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
