import { t } from '../../language/messages.ts';
import type { ConvertedVisualization } from '../conversion.ts';
import type { OutputColumn } from '../sql/output-columns.ts';
import { fieldsIn, numberIn, own, textIn } from '../values.ts';
import { thresholdsOf } from './colors.ts';
import type { Panel } from './model.ts';
import { formatOf } from './units.ts';

type Format = ReturnType<typeof formatOf>['format'];

interface Drawn {
  readonly panel: Panel;
  readonly columns: readonly OutputColumn[];
  readonly note: (what: string) => void;
  readonly format: Format;
}

/**
 * Returns the visualization of a panel for a query with these columns, or a table if they aren't known or don't fit. Every setting
 * that is lost is noted.
 */
export function visualizationOf(
  panel: Panel,
  columns: readonly OutputColumn[] | undefined,
  note: (what: string) => void,
): ConvertedVisualization {
  const { format, isKnown } = formatOf(panel.defaults);
  if (!isKnown)
    note(t('The unit “{unit}” has no equivalent.', { unit: textIn(panel.defaults, 'unit') ?? '' }));
  noteLosses(panel, note);
  if (panel.type.startsWith('table')) return tableOf(panel, note);
  const draw = Object.hasOwn(kinds, panel.type) ? kinds[panel.type] : undefined;
  if (draw === undefined) {
    note(t('The panel type “{type}” has no equivalent. The result is a table.', { type: panel.type }));
    return { kind: 'table' };
  }
  if (columns === undefined) {
    note(t('The columns of its query are not known, so the result is a table. Choose a chart type.'));
    return { kind: 'table' };
  }
  const drawn = draw({ panel, columns, note, format });
  if (drawn !== undefined) return drawn;
  note(t('The columns of its query don’t fit the chart type, so the result is a table.'));
  return { kind: 'table' };
}

function noteLosses({ defaults, overrides, type }: Panel, note: (what: string) => void): void {
  if (Array.isArray(own(defaults, 'mappings')) && (own(defaults, 'mappings') as unknown[]).length > 0)
    note(t('Its value mappings were dropped.'));
  if (overrides.length > 0 && !type.startsWith('table'))
    note(t('The settings of single fields were dropped.'));
}

const kinds: Readonly<Record<string, (drawn: Drawn) => ConvertedVisualization | undefined>> = {
  timeseries: timeSeriesOf,
  graph: timeSeriesOf,
  trend: timeSeriesOf,
  barchart: barsOf,
  bargauge: barsOf,
  stat: numberOf,
  singlestat: numberOf,
  gauge: gaugeOf,
  piechart: pieOf,
  'grafana-piechart-panel': pieOf,
  histogram: ({ columns }) => {
    const value = valuesOf(columns).at(-1);
    return value === undefined ? undefined : { kind: 'histogram', value };
  },
  heatmap: ({ columns, format }) => {
    const [x, y, value] = columns.map(({ name }) => name);
    return columns.length === 3 && x !== undefined && y !== undefined && value !== undefined
      ? { kind: 'heatMap', x, y, value, ...(format && { format }) }
      : undefined;
  },
  xychart: ({ columns }) => {
    const [x, y] = columns.map(({ name }) => name);
    return x === undefined || y === undefined ? undefined : { kind: 'scatter', x, y };
  },
};

const isTime = (name: string): boolean => /^(?:time|time_sec|timestamp)$/i.test(name);

/** Returns the columns that have values: those that are neither times nor names of series. */
function valuesOf(columns: readonly OutputColumn[]): string[] {
  const isSummary = columns.some(({ isPlain, name }) => !isPlain && !isTime(name) && name !== 'metric');
  return columns
    .filter(({ name, isPlain }) => !isTime(name) && name !== 'metric' && !(isSummary && isPlain))
    .map(({ name }) => name);
}

function timeSeriesOf({ panel, columns, note, format }: Drawn): ConvertedVisualization | undefined {
  const x = (columns.find(({ name }) => isTime(name)) ?? columns[0])?.name;
  const fields = valuesOf(columns)
    .filter((name) => name !== x)
    .slice(0, 20);
  const names = columns.map(({ name }) => name).filter((name) => name !== x && !fields.includes(name));
  if (x === undefined || fields.length === 0) return undefined;
  const splitBy = names.find((name) => name === 'metric') ?? names[0];
  if (names.length > 1)
    note(t('Only “{name}” names the series; Grafana combines several columns.', { name: splitBy ?? '' }));
  const custom = fieldsIn(panel.defaults, 'custom');
  const { older } = panel;
  const isBar = textIn(custom, 'drawStyle') === 'bars' || own(older, 'bars') === true;
  const isStacked =
    textIn(fieldsIn(custom, 'stacking'), 'mode') ?? (own(older, 'stack') === true ? 'normal' : 'none');
  const isFilled = (numberIn(custom, 'fillOpacity') ?? 0) >= 20 || (numberIn(older, 'fill') ?? 0) >= 3;
  if (textIn(custom, 'drawStyle') === 'points') note(t('Points became lines.'));
  const settings = {
    x,
    series: fields.map((field) => ({ field, ...(format && { format }) })),
    ...(splitBy !== undefined && { splitBy }),
    ...(isStacked === 'normal' && { stacking: 'stacked' as const }),
    ...(isStacked === 'percent' && { stacking: 'percent' as const }),
    ...axisOf(panel, format),
    ...linesOf(panel),
    ...legendOf(panel),
  };
  const isSmooth = textIn(custom, 'lineInterpolation') === 'smooth' ? { isSmooth: true } : {};
  if (isBar) return { kind: 'bar', ...settings };
  if (isFilled || isStacked === 'normal' || isStacked === 'percent')
    return { kind: 'area', ...settings, ...isSmooth };
  const connects = own(custom, 'spanNulls') === true || textIn(older, 'nullPointMode') === 'connected';
  return { kind: 'line', ...settings, ...isSmooth, ...(connects && { gaps: 'connect' }) };
}

function axisOf({ defaults }: Panel, format: Format): object {
  const custom = fieldsIn(defaults, 'custom');
  const title = textIn(custom, 'axisLabel');
  const min = numberIn(defaults, 'min');
  const max = numberIn(defaults, 'max');
  const isLog = textIn(fieldsIn(custom, 'scaleDistribution'), 'type') === 'log';
  const yAxis = {
    ...(title !== undefined && { title: title.slice(0, 1000) }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(isLog && { scale: 'log' as const }),
    ...(format && { format }),
  };
  return Object.keys(yAxis).length === 0 ? {} : { yAxis };
}

/** Thresholds that a chart shows are lines across it. */
function linesOf({ defaults }: Panel): object {
  const mode = textIn(fieldsIn(fieldsIn(defaults, 'custom'), 'thresholdsStyle'), 'mode') ?? 'off';
  const lines = mode === 'off' ? [] : (thresholdsOf(defaults) ?? []).slice(1, 11);
  return lines.length === 0
    ? {}
    : { referenceLines: lines.map(({ from, color }) => ({ value: from, color })) };
}

function legendOf({ options, older }: Panel): object {
  const legend = fieldsIn(options, 'legend');
  const isShown = own(legend, 'showLegend') ?? own(fieldsIn(older, 'legend'), 'show');
  if (textIn(legend, 'displayMode') === 'hidden') return { hasLegend: false };
  return typeof isShown === 'boolean' ? { hasLegend: isShown } : {};
}

function barsOf(drawn: Drawn): ConvertedVisualization | undefined {
  const { panel, columns, format } = drawn;
  const wanted = textIn(panel.options, 'xField');
  const x = (columns.find(({ name }) => name === wanted) ?? columns[0])?.name;
  const fields = columns.map(({ name }) => name).filter((name) => name !== x && name !== 'metric');
  if (x === undefined || fields.length === 0) return undefined;
  const hasMetric = columns.some(({ name }) => name === 'metric' && name !== x);
  const stacking = textIn(panel.options, 'stacking');
  return {
    kind: 'bar',
    x,
    series: fields.slice(0, 20).map((field) => ({ field, ...(format && { format }) })),
    ...(hasMetric && { splitBy: 'metric' }),
    ...(stacking === 'normal' && { stacking: 'stacked' }),
    ...(stacking === 'percent' && { stacking: 'percent' }),
    ...(textIn(panel.options, 'orientation') === 'horizontal' && { isHorizontal: true }),
    ...axisOf(panel, format),
    ...legendOf(panel),
  };
}

function thresholds({ panel, note }: Drawn): { thresholds?: { from: number; color: string }[] } {
  const found = thresholdsOf(panel.defaults);
  if (found === undefined) note(t('Its thresholds are percentages of an unknown range, and were dropped.'));
  return found === undefined || found.length === 0 ? {} : { thresholds: found };
}

function numberOf(drawn: Drawn): ConvertedVisualization | undefined {
  const { panel, columns, format, note } = drawn;
  const time = columns.find(({ name }) => isTime(name))?.name;
  const values = columns.map(({ name }) => name).filter((name) => name !== time && name !== 'metric');
  const value = valuesOf(columns).find((name) => name !== time) ?? values[0];
  if (value === undefined) return undefined;
  if (values.length > 1) note(t('It shows only “{name}”, and not its other values.', { name: value }));
  noteReduction(panel, time, note);
  return {
    kind: 'number',
    value,
    ...(time !== undefined && { trend: { by: time } }),
    ...(format && { format }),
    ...thresholds(drawn),
  };
}

/** A number of Atrium is in the first row, or the last one by time. */
function noteReduction({ options, older }: Panel, time: string | undefined, note: Drawn['note']): void {
  const calculations = own(fieldsIn(options, 'reduceOptions'), 'calcs');
  const name = Array.isArray(calculations) ? String(calculations[0]) : textIn(older, 'valueName');
  if (name === undefined || name === 'first' || name === 'firstNotNull') return;
  const isLast = name === 'last' || name === 'lastNotNull' || name === 'current';
  if (isLast && time !== undefined) return;
  if (!isLast || time === undefined)
    note(
      t(
        'Grafana shows “{name}” of all rows. Here, it is the value of the first row, or of the last one by time.',
        {
          name,
        },
      ),
    );
}

function gaugeOf(drawn: Drawn): ConvertedVisualization | undefined {
  const { panel, columns, format, note } = drawn;
  const time = columns.find(({ name }) => isTime(name))?.name;
  const value = valuesOf(columns).find((name) => name !== time);
  if (value === undefined) return undefined;
  noteReduction(panel, undefined, note);
  const min = numberIn(panel.defaults, 'min');
  const max = numberIn(panel.defaults, 'max');
  return {
    kind: 'gauge',
    value,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(format && { format }),
    ...thresholds(drawn),
  };
}

function pieOf({ panel, columns, format }: Drawn): ConvertedVisualization | undefined {
  const known = columns.filter(({ name }) => !isTime(name));
  const [category, value] = known.map(({ name }) => name);
  if (category === undefined || value === undefined || known.length !== 2) return undefined;
  const type = textIn(panel.options, 'pieType') ?? textIn(panel.older, 'pieType');
  return {
    kind: 'pie',
    category,
    value,
    ...(type === 'donut' && { isDonut: true }),
    ...(format && { format }),
  };
}

/** Overrides that name a column set its label and its format. */
function tableOf({ overrides }: Panel, note: (what: string) => void): ConvertedVisualization {
  if (overrides.length > 0) note(t('The settings of single fields were dropped.'));
  return { kind: 'table' };
}
