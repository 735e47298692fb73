import { VisuallyHidden } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import { colorAt, resolveColor, type ChartTheme } from '#charts/drawing/palette.ts';
import { markOfRow, type ChooseMark, type StateOf } from '#charts/marks/mark.ts';
import { listedNumbers } from '#charts/table/bars.ts';
import type { TableColumn } from '#charts/table/columns.ts';
import { cellLink } from '#charts/table/links.ts';
import { toNumber } from '#charts/values/result-values.ts';
import { reachedThreshold } from '#charts/values/thresholds.ts';
import { LocalLinks } from '../../ui/browser/local-links.ts';
import { Sparkline } from '../sparkline/Sparkline.tsx';
import { PickButton } from './PickButton.tsx';
import classes from './ResultTable.module.css';

/** A cell of a table, which is a button if something can be done with its value. */
export function Cell({
  column,
  row,
  theme,
  choose,
  stateOf,
  isActive,
  onFocus,
}: {
  readonly column: TableColumn;
  readonly row: readonly unknown[];
  readonly theme: ChartTheme;
  readonly choose: ChooseMark | undefined;
  readonly stateOf: StateOf | undefined;
  readonly isActive: boolean;
  readonly onFocus: () => void;
}): ReactNode {
  const value = row[column.index];
  const text = column.format(value);
  const mark = choose && { ...markOfRow([column], [], row), key: JSON.stringify([column.name, row]) };
  const isEmphasized = mark !== undefined && stateOf?.(mark) === true;
  const reached = reachedThreshold(column.thresholds, toNumber(value));
  const colors = isEmphasized ? undefined : column.colorsOf?.(value, theme);
  const hasLocalLinks = useContext(LocalLinks);
  const found = column.display === 'link' ? cellLink(row[column.linkIndex]) : undefined;
  const link = found?.isExternal === false && !hasLocalLinks ? undefined : found;
  const content = <Content column={column} value={value} text={text} theme={theme} />;
  return (
    <td
      data-end={column.isNumber || undefined}
      className={isEmphasized ? classes['selected'] : undefined}
      style={colors && { background: colors.background, color: colors.text }}
      title={text.length > column.widthCh - 3 ? text : undefined}
    >
      {reached !== undefined && (
        <span className={classes['mark']} style={{ background: resolveColor(reached.color, theme) }} />
      )}
      {reached?.label !== undefined && <VisuallyHidden>{reached.label}: </VisuallyHidden>}
      {link !== undefined ? (
        <a
          href={link.href}
          className={classes['link']}
          {...(link.isExternal && { target: '_blank', rel: 'noopener noreferrer nofollow' })}
        >
          {text}
        </a>
      ) : mark === undefined ? (
        content
      ) : (
        <PickButton
          mark={mark}
          text={text}
          isPicked={isEmphasized}
          isActive={isActive}
          choose={choose}
          onFocus={onFocus}
        >
          {content}
        </PickButton>
      )}
    </td>
  );
}

/** The value of a cell: its text, with a bar behind it, or a small line. */
function Content({
  column,
  value,
  text,
  theme,
}: {
  readonly column: TableColumn;
  readonly value: unknown;
  readonly text: string;
  readonly theme: ChartTheme;
}): ReactNode {
  const numbers = column.display === 'sparkline' ? listedNumbers(value) : undefined;
  if (numbers !== undefined) {
    return (
      <>
        <Sparkline values={numbers} color={colorAt(theme, 0)} className={classes['sparkline']} />
        <VisuallyHidden>{text}</VisuallyHidden>
      </>
    );
  }
  const bar = column.barOf?.(value);
  if (bar === undefined) return text;
  return (
    <span className={classes['barred']}>
      <span
        className={classes['bar']}
        style={{
          insetInlineStart: `${bar.start * 100}%`,
          width: `${bar.width * 100}%`,
          background: colorAt(theme, (toNumber(value) ?? 0) < 0 ? 3 : 0),
        }}
      />
      {text}
    </span>
  );
}
