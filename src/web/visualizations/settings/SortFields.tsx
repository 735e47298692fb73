import { SegmentedControl, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { RowOrder } from '#charts/values/value-order.ts';
import { t } from '#shared/language/messages.ts';
import { OptionalFieldSelect } from './FieldSelect.tsx';

/** The column that rows are sorted by; without one, they stay in the order of the query. */
export function SortFields({
  sort,
  columns,
  onChange,
}: {
  readonly sort: RowOrder | undefined;
  readonly columns: readonly Column[];
  readonly onChange: (sort: RowOrder | undefined) => void;
}): ReactNode {
  return (
    <Stack gap={4}>
      <OptionalFieldSelect
        label={t('Sort by')}
        columns={columns}
        value={sort?.field}
        onChange={(field) =>
          onChange(field === undefined ? undefined : { field, direction: sort?.direction ?? 'descending' })
        }
      />
      {sort !== undefined && (
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t('Direction')}
          data={[
            { value: 'ascending', label: t('Ascending') },
            { value: 'descending', label: t('Descending') },
          ]}
          value={sort.direction}
          onChange={(direction) =>
            onChange({ ...sort, direction: direction === 'ascending' ? 'ascending' : 'descending' })
          }
        />
      )}
    </Stack>
  );
}
