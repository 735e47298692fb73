import { t } from '#shared/language/messages.ts';
import type { Chart } from '../drawing/chart.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { colorAt, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { currentFormatter } from '../values/formats.ts';
import { namedValues } from '../values/named-values.ts';
import type { ResultRows } from '../values/result-values.ts';

/** With more, each stage is too thin for its label. */
const maxStages = 40;

/** Returns a funnel: a stage for each row in their order, and its share of the first. Missing and negative values are left out. */
export function funnelChart(visualization: OfKind<'funnel'>, result: ResultRows, theme: ChartTheme): Chart {
  const named = namedValues(visualization, result);
  if (named === undefined) return emptyChart;
  const { category, measure } = named;
  const valid = named.items.filter(({ value }) => value >= 0);
  const stages = valid.slice(0, maxStages);
  const first = stages[0]?.value ?? 0;
  const omitted = result.rows.length - valid.length;
  const shareOf = (value: number, of: number) => (of === 0 ? '–' : percent(value / of));
  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const at = part?.dataIndex ?? -1;
        const stage = stages[at];
        const before = stages[at - 1];
        if (stage === undefined) return undefined;
        const lines = [
          { label: measure.name, value: stage.text },
          { label: t('Of the first'), value: shareOf(stage.value, first) },
          ...(before === undefined
            ? []
            : [{ label: t('Of {name}', { name: before.name }), value: shareOf(stage.value, before.value) }]),
        ];
        return { title: stage.name, lines };
      },
    },
    option: {
      ...frameOption(theme),
      media: [
        {
          query: { maxWidth: 460 },
          option: { series: [{ width: '40%', label: { width: 120 }, labelLayout: besideAt('44%') }] },
        },
        {
          query: { minWidth: 461 },
          option: { series: [{ width: '48%', label: { width: 200 }, labelLayout: besideAt('52%') }] },
        },
      ],
      series: [
        {
          type: 'funnel',
          animation: false,
          sort: 'none',
          left: 0,
          // The labels of thin stages are higher than these.
          top: 10,
          bottom: 12,
          width: '48%',
          min: 0,
          // An invisible width of one keeps funnels whose stages are all zero from being the widest.
          max: Math.max(...stages.map(({ value }) => value), Number.MIN_VALUE),
          minSize: '0%',
          gap: 2,
          color: [colorAt(theme, 0)],
          itemStyle: { color: colorAt(theme, 0), borderWidth: 0 },
          label: { position: 'right', color: theme.text, lineHeight: 15, width: 200, overflow: 'truncate' },
          labelLine: { length: 12, lineStyle: { color: theme.line } },
          data: stages.map(({ name, value, text }) => ({
            name,
            value,
            // Names come from data, so that none is read as a template.
            label: { formatter: () => `${name}\n${text} · ${shareOf(value, first)}` },
          })),
        },
      ],
    },
    markAt: (_, dataIndex) => {
      const row = stages[dataIndex]?.row;
      return row && markOfRow([category], [measure], row);
    },
    notes: [
      ...(omitted > 0
        ? [
            t('{omitted} of {count} rows not shown: the value is missing or negative.', {
              omitted,
              count: result.rows.length,
            }),
          ]
        : []),
      ...(valid.length > maxStages
        ? [t('Showing the first {maxStages} of {count} stages.', { maxStages, count: valid.length })]
        : []),
    ],
  };
}

/** All labels are beside the widest stage, so that none covers another. */
const besideAt = (x: string) => ({ x, hideOverlap: true });

const percent = currentFormatter({ type: 'double' }, { kind: 'percent', decimals: 1 });
