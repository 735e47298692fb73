import { Select, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { withOptional } from '../settings/without.ts';

type Trend = NonNullable<OfKind<'number'>['trend']>;

const comparisons = ['previous', 'first', 'none'] as const;
const changes = ['percent', 'difference', 'value'] as const;

/** How a number developed: the column that orders the rows, the sparkline, and the row to compare with. */
export const TrendFields = ({
  trend,
  columns,
  onChange,
}: {
  readonly trend: Trend | undefined;
  readonly columns: readonly Column[];
  readonly onChange: (trend: Trend | undefined) => void;
}): ReactNode => (
  <>
    <OptionalFieldSelect
      label={t('Trend by')}
      description={t('Shows the latest row instead of the first')}
      columns={columns}
      requirement="position"
      value={trend?.by}
      onChange={(by) => onChange(by === undefined ? undefined : { ...trend, by })}
    />
    {trend !== undefined && (
      <>
        <Switch
          size="xs"
          label={t('Sparkline')}
          checked={trend.hasSparkline ?? true}
          onChange={(event) =>
            onChange(withOptional(trend, 'hasSparkline', event.currentTarget.checked ? undefined : false))
          }
        />
        <Select
          label={t('Change since')}
          size="xs"
          allowDeselect={false}
          data={[
            { value: 'previous', label: t('The row before') },
            { value: 'first', label: t('The first row') },
            { value: 'none', label: t('Not shown') },
          ]}
          value={trend.compareWith ?? 'previous'}
          onChange={(chosen) => {
            const compareWith = comparisons.find((one) => one === chosen);
            onChange(
              withOptional(trend, 'compareWith', compareWith === 'previous' ? undefined : compareWith),
            );
          }}
        />
        <Select
          label={t('Show the change as')}
          size="xs"
          allowDeselect={false}
          data={[
            { value: 'percent', label: t('Percent change') },
            { value: 'difference', label: t('Difference') },
            { value: 'value', label: t('Value') },
          ]}
          value={trend.showAs ?? 'percent'}
          onChange={(chosen) => {
            const showAs = changes.find((one) => one === chosen);
            onChange(withOptional(trend, 'showAs', showAs === 'percent' ? undefined : showAs));
          }}
        />
        <Switch
          size="xs"
          label={t('A decrease is good')}
          checked={trend.isLessBetter ?? false}
          onChange={(event) =>
            onChange(withOptional(trend, 'isLessBetter', event.currentTarget.checked || undefined))
          }
        />
      </>
    )}
  </>
);
