import { Group, NumberInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isNumeric, type ColumnType } from '#shared/columns.ts';
import type { Condition } from '#shared/query-builder/structure.ts';

type Range = Extract<Condition, { operator: 'between' }>;

/** The ends of a range of numbers, days or times of day, both of which are included. */
export function RangeFields({
  condition,
  type,
  onChange,
}: {
  readonly condition: Range;
  readonly type: ColumnType;
  readonly onChange: (condition: Range, field: string) => void;
}): ReactNode {
  const setEnd = (end: 'from' | 'to', value: string | number) => {
    const changed = value === '' ? undefined : value;
    const from = end === 'from' ? changed : condition.from;
    const to = end === 'to' ? changed : condition.to;
    onChange(
      { operator: 'between', ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
      end,
    );
  };
  return (
    <Group gap="xs" grow>
      {(['from', 'to'] as const).map((end) => {
        const label = end === 'from' ? 'From' : 'To';
        return isNumeric(type) ? (
          <NumberInput
            key={end}
            label={label}
            size="sm"
            placeholder="Any"
            hideControls
            value={condition[end] ?? ''}
            onChange={(value) => setEnd(end, value)}
          />
        ) : (
          <TextInput
            key={end}
            label={label}
            size="sm"
            type={type === 'time' ? 'time' : 'date'}
            value={String(condition[end] ?? '')}
            onChange={({ currentTarget: { value } }) => setEnd(end, value)}
          />
        );
      })}
    </Group>
  );
}
