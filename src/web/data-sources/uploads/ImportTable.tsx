import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { ImportOptions, ImportPreview, ImportType } from '#contract/data-sources/imports.ts';
import { isNumeric } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { cellText } from '../../ui/text/cell-text.ts';
import classes from './ImportTable.module.css';

type ImportColumns = ImportOptions['columns'];

const typeNames: Readonly<Record<ImportType, string>> = {
  text: t('Text'),
  integer: t('Whole number'),
  double: t('Number'),
  date: t('Date'),
  datetime: t('Date and time'),
  instant: t('Time with zone'),
  time: t('Time of day'),
  boolean: t('True or false'),
};

/** A page with more would be slow. */
const shownColumns = 60;

/** The first rows of a file, with the names and types of its columns, which can be changed for a text file. */
export function ImportTable({
  preview: { options, columns, rows, lines, faults },
  changeColumns,
}: {
  readonly preview: ImportPreview;
  readonly changeColumns: ((columns: ImportColumns) => void) | undefined;
}): ReactNode {
  const unfit = new Map(faults.map(({ line, column = '', value }) => [`${line} ${column}`, value]));
  const change = (index: number, changed: Partial<ImportColumns[number]>) =>
    changeColumns?.(
      (options?.columns ?? []).map((column, at) => (at === index ? { ...column, ...changed } : column)),
    );
  return (
    <>
      <div className={classes['frame']} role="region" aria-label={t('First rows of the file')} tabIndex={0}>
        <table className={classes['table']} aria-label={t('First rows of the file')}>
          <thead>
            <tr>
              {lines.length > 0 && <th scope="col">{t('Line number')}</th>}
              {columns.slice(0, shownColumns).map((column, index) => (
                <th key={index} scope="col">
                  <ColumnHead
                    key={column.name}
                    column={column}
                    chosen={options?.columns[index]}
                    change={(changed) => change(index, changed)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={rowIndex}>
                {lines.length > 0 && <td className={classes['line']}>{lines[rowIndex]}</td>}
                {columns.slice(0, shownColumns).map(({ name, type }, index) => (
                  <Cell
                    key={index}
                    value={row[index]}
                    isNumber={isNumeric(type)}
                    unfit={unfit.get(`${lines[rowIndex]} ${name}`)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {columns.length > shownColumns && (
        <Text size="xs" c="dimmed">
          {t('The first {shownColumns} columns are shown.', { shownColumns })}
        </Text>
      )}
    </>
  );
}

function ColumnHead({
  column: { name, sourceType },
  chosen,
  change,
}: {
  readonly column: Column;
  /** Left out if the format of the file decides. */
  readonly chosen: ImportColumns[number] | undefined;
  readonly change: (changed: Partial<ImportColumns[number]>) => void;
}): ReactNode {
  const [typed, setTyped] = useState(name);
  if (chosen === undefined)
    return (
      <>
        {name}
        <Text span display="block" size="xs" c="dimmed">
          {sourceType}
        </Text>
      </>
    );
  const rename = () => {
    const renamed = typed.trim();
    if (renamed === '') setTyped(name);
    else if (renamed !== name) change({ name: renamed });
  };
  return (
    <>
      <TextInput
        size="xs"
        aria-label={t('Name of {name}', { name })}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={rename}
      />
      <NativeSelect
        size="xs"
        mt={4}
        aria-label={t('Type of {name}', { name })}
        data={Object.entries(typeNames).map(([value, label]) => ({ value, label }))}
        value={chosen.type}
        onChange={(event) => change({ type: event.currentTarget.value as ImportType })}
      />
    </>
  );
}

const maxCharacters = 200;

function Cell({
  value,
  isNumber,
  unfit,
}: {
  readonly value: unknown;
  readonly isNumber: boolean;
  /** The value of the file if it doesn't fit the column. */
  readonly unfit: string | undefined;
}): ReactNode {
  if (unfit !== undefined)
    return (
      <td className={classes['unfit']} title={t('Does not fit the type of the column')}>
        {unfit}
      </td>
    );
  const text = cellText(value)?.slice(0, maxCharacters);
  return text === undefined ? (
    <td className={classes['empty']}>{t('empty')}</td>
  ) : (
    <td data-end={isNumber || undefined}>{text}</td>
  );
}
