import { t } from '#shared/language/messages.ts';
import writeXlsxFile, { type Cell, type Row, type Sheet } from 'write-excel-file/node';
import { valueOfReference } from '#charts/content/reference-values.ts';
import { isDay } from '#shared/annotations/annotations.ts';
import { contentKindNames, contentOf } from '#shared/content-widgets/content-widgets.ts';
import { withLabels } from '#charts/labels.ts';
import { pivotOf } from '#charts/pivot/pivot.ts';
import { tableColumns } from '#charts/table/columns.ts';
import { widgetProblemMessage } from '#charts/widgets/problem-message.ts';
import type { ExportedDocument, ExportedWidget } from '../document/exported.ts';
import { plainTextOf } from '../document/plain-text.ts';
import type { ExportJob } from '../job.ts';
import { boldCell, cellWriter, textCell } from './cells.ts';
import { sheetOfPivot } from './pivot-sheet.ts';
import { sheetNames } from './sheet-names.ts';

type AnySheet = Sheet<never>;

const notesName = t('Annotations');
const aboutName = t('About');

/** Returns a workbook with a sheet about the export, one with the annotations of the dashboard, and a sheet with all rows of each widget. */
export async function createXlsx(
  document: ExportedDocument,
  { timeZone }: Pick<ExportJob, 'timeZone'>,
): Promise<Uint8Array> {
  const all = document.grids.flatMap((grid) => grid.widgets);
  const widgets = all.filter(({ references }) => references === undefined);
  const [about = aboutName, notes = notesName, ...names] = sheetNames([
    aboutName,
    notesName,
    ...widgets.map(titleWithRepetition),
  ]);
  const sheets: AnySheet[] = [
    {
      sheet: about,
      data: [...aboutRows(document, widgets, names), ...rowsOfTexts(all)],
      columns: [{ width: 32 }, { width: 60 }, { width: 60 }],
    },
    ...(document.annotations.length === 0
      ? []
      : [{ sheet: notes, ...sheetOfAnnotations(document, timeZone) }]),
    ...widgets.map((widget, index) => ({ sheet: names[index] ?? '', ...sheetOf(widget, timeZone) })),
  ];
  return writeXlsxFile(sheets).toBuffer();
}

function aboutRows(
  { title, facts, filters }: ExportedDocument,
  widgets: readonly ExportedWidget[],
  names: readonly string[],
): Row[] {
  return [
    [boldCell(title)],
    ...facts.map((fact) => [textCell(fact)]),
    [],
    [boldCell(t('Filter')), boldCell(t('Value'))],
    ...(filters.length === 0
      ? [[textCell(t('No filters'))]]
      : filters.map(({ label, value }) => [textCell(label), textCell(value)])),
    [],
    [boldCell(t('Sheet')), boldCell(t('Widget')), boldCell(t('Rows'))],
    ...widgets.map((widget, index) => [
      textCell(names[index]),
      textCell(titleWithRepetition(widget)),
      textCell(rowsText(widget)),
    ]),
  ];
}

/** Returns the annotations of a dashboard, with the first and the last day or moment of each. */
function sheetOfAnnotations(
  { annotations }: Pick<ExportedDocument, 'annotations'>,
  timeZone: string,
): Pick<AnySheet, 'data' | 'columns' | 'stickyRowsCount'> {
  const writers = { day: cellWriter('date', timeZone), moment: cellWriter('instant', timeZone) };
  const write = (time: string | undefined): Cell =>
    time === undefined ? null : writers[isDay(time) ? 'day' : 'moment'](time);
  return {
    data: [
      [t('From'), t('To'), t('Annotation')].map(boldCell),
      ...annotations.map(({ from, to, text }): Cell[] => [write(from), write(to), textCell(text)]),
    ],
    columns: [{ width: 20 }, { width: 20 }, { width: 60 }],
    stickyRowsCount: 1,
  };
}

/** Returns the texts of widgets without a report, in the order in which they are read. */
function rowsOfTexts(widgets: readonly ExportedWidget[]): Row[] {
  const rows = widgets.flatMap(({ widget, references }) => {
    if (references === undefined) return [];
    const content = contentOf(widget);
    const text = plainTextOf(content, (reference) => valueOfReference(reference, references));
    if (content === undefined || text.trim() === '') return [];
    const title = ('title' in content ? content.title : undefined) ?? contentKindNames[content.kind];
    return [[textCell(title), wrapped(textCell(text))]];
  });
  return rows.length === 0 ? [] : [[], [boldCell(t('Texts'))], ...rows];
}

const wrapped = (cell: Cell): Cell =>
  cell === null || typeof cell !== 'object' || !('value' in cell) ? cell : { ...cell, wrap: true };

const titleWithRepetition = ({ title, repetition }: ExportedWidget): string =>
  repetition === undefined ? title : `${title} – ${repetition}`;

function rowsText({ line }: ExportedWidget): string {
  const { result } = line ?? {};
  if (result === undefined) return widgetProblemMessage(line).title;
  const { rowCount, isCutOff } = result;
  return isCutOff
    ? t('Only the first {count} rows; the result has more', { count: rowCount })
    : rowCount.toLocaleString();
}

/** Returns the columns and rows of a result, with the names that the models of its tables give to its columns. */
function sheetOf(
  { line }: ExportedWidget,
  timeZone: string,
): Pick<AnySheet, 'data' | 'columns' | 'stickyRowsCount'> {
  const { result } = line ?? {};
  if (result === undefined) {
    const { title, lines } = widgetProblemMessage(line);
    return { data: [[boldCell(title)], ...lines.map((text) => [textCell(text)])], columns: [{ width: 60 }] };
  }
  const pivot = line?.visualization?.kind === 'pivot' ? pivotOf(line.visualization, result) : undefined;
  if (pivot !== undefined) return sheetOfPivot(pivot);
  const columns = tableColumns(result, withLabels({ kind: 'table' }, result));
  const writers = columns.map(({ type }) => cellWriter(type, timeZone));
  return {
    data: [
      columns.map(({ label, isNumber }): Cell => ({
        ...boldCell(label),
        ...(isNumber && { align: 'right' }),
      })),
      ...result.rows.map((row) => columns.map(({ index }, at): Cell => writers[at]?.(row[index]) ?? null)),
    ],
    columns: columns.map(({ widthCh }) => ({ width: widthCh })),
    stickyRowsCount: 1,
  };
}
