import { useCallback, useMemo, type ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { isNumeric } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import classes from './RowTable.module.css';
import { cellText, columnWidth } from '../text/cell-text.ts';
import { VirtualTable } from './VirtualTable.tsx';

/** Rows as the data source returned them, with the type of each column. */
export function RowTable({
  label,
  columns,
  rows,
  height = 420,
  menuOf,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  /** At most, in pixels or as a length of CSS. */
  readonly height?: number | string;
  /** Returns the menu of a column. */
  readonly menuOf?: ((column: Column, index: number) => ReactNode) | undefined;
}): ReactNode {
  const shown = useMemo(
    () =>
      columns.map((column, index) => ({
        name: column.name,
        title: column.name,
        widthCh: columnWidth(column, index, rows),
        isNumber: isNumeric(column.type),
        content: (
          <>
            {column.name}
            <span className={classes['type']} title={column.sourceType}>
              {column.sourceType}
            </span>
            {menuOf?.(column, index)}
          </>
        ),
      })),
    [columns, rows, menuOf],
  );
  const textOf = useCallback(
    (index: number) => rows[index]?.map((value) => cellText(value) ?? 'null').join('\n') ?? '',
    [rows],
  );
  return (
    <VirtualTable
      label={label}
      className={classes['frame']}
      maxHeight={height}
      columns={shown}
      rowCount={rows.length}
      textOf={textOf}
      row={(index) =>
        columns.map(({ type }, column) => (
          <Cell key={column} value={rows[index]?.[column]} isNumber={isNumeric(type)} />
        ))
      }
    />
  );
}

const maxCharacters = 2_000;

function Cell({ value, isNumber }: { readonly value: unknown; readonly isNumber: boolean }): ReactNode {
  const text = cellText(value)?.slice(0, maxCharacters);
  return text === undefined ? (
    <td className={classes['null']}>{t('null')}</td>
  ) : (
    <td data-end={isNumber || undefined} title={text}>
      {text}
    </td>
  );
}
