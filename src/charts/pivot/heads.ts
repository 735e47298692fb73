import { t } from '#shared/language/messages.ts';
import type { Pivot, PivotLine } from './pivot.ts';

/** The lines that determine the width of a column. */
const measuredLines = 100;
const minWidthCh = 8;
const maxWidthCh = 32;

/** Returns the text of a line in one of the columns that became rows. A value that is repeated below itself isn't shown again. */
export function headText(
  line: PivotLine,
  depth: number,
  before: PivotLine | undefined,
): { readonly text: string; readonly isRepeated: boolean } {
  const text = line.path[depth] ?? '';
  if (line.isTotal)
    return { text: depth === line.path.length - 1 ? t('Total {text}', { text }) : '', isRepeated: false };
  const isRepeated =
    before !== undefined &&
    !before.isTotal &&
    depth < line.path.length - 1 &&
    line.path.slice(0, depth + 1).every((part, at) => before.path[at] === part);
  return { text, isRepeated };
}

/** Returns the widths of the columns of a pivot table in characters: of those that became rows, and then of the others. */
export function pivotWidths({ heads, columns, lines, total, textOf }: Pivot): number[] {
  const sample = [...lines.slice(0, measuredLines), ...(total === undefined ? [] : [total])];
  const widthOf = (label: string, texts: readonly string[]) => {
    const longest = texts.reduce((most, { length }) => Math.max(most, length), label.length);
    return Math.min(Math.max(longest + 4, minWidthCh), maxWidthCh);
  };
  return [
    ...heads.map((head, depth) =>
      widthOf(
        head,
        sample.map(({ path, isTotal }) => `${isTotal ? `${t('Total')} ` : ''}${path[depth] ?? ''}`),
      ),
    ),
    ...columns.map((column) =>
      widthOf(
        column.label,
        sample.map((line) => textOf(line, column)),
      ),
    ),
  ];
}
