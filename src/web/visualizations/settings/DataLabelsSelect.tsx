import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { DataLabels } from '#charts/cartesian/data-labels.ts';

const choices = [
  { value: 'none', label: t('None') },
  { value: 'all', label: t('All values') },
  { value: 'last', label: t('The last value') },
  { value: 'extremes', label: t('The smallest and the largest') },
] as const;

/** Which values are written in a chart. */
export const DataLabelsSelect = ({
  labels = 'none',
  onChange,
}: {
  readonly labels: DataLabels | undefined;
  /** Gets undefined for none. */
  readonly onChange: (labels: DataLabels | undefined) => void;
}): ReactNode => (
  <Select
    label={t('Data labels')}
    size="xs"
    allowDeselect={false}
    data={choices}
    value={labels}
    onChange={(chosen) => {
      const found = choices.find(({ value }) => value === chosen)?.value;
      onChange(found === 'none' ? undefined : found);
    }}
  />
);
