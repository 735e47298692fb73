import { Group, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources.ts';
import type { Cartesian } from '../cartesian/kind.ts';
import { OptionalFieldSelect } from './FieldSelect.tsx';

type Sort = NonNullable<Cartesian['sort']>;

/** By which column rows are ordered; else they are as the query returns them. */
export function SortFields({
  sort,
  columns,
  onChange,
}: {
  readonly sort: Sort | undefined;
  readonly columns: readonly Column[];
  readonly onChange: (sort: Sort | undefined) => void;
}): ReactNode {
  return (
    <Group gap="xs" align="flex-end" grow wrap="nowrap">
      <OptionalFieldSelect
        label="Sort by"
        columns={columns}
        value={sort?.field}
        onChange={(field) =>
          onChange(field === undefined ? undefined : { field, direction: sort?.direction ?? 'descending' })
        }
      />
      {sort !== undefined && (
        <SegmentedControl
          size="xs"
          aria-label="Direction"
          data={[
            { value: 'ascending', label: 'Ascending' },
            { value: 'descending', label: 'Descending' },
          ]}
          value={sort.direction}
          onChange={(direction) =>
            onChange({ ...sort, direction: direction === 'ascending' ? 'ascending' : 'descending' })
          }
        />
      )}
    </Group>
  );
}
