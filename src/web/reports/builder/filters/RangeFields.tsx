import { Checkbox, Group, NumberInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isNumeric, type ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import type { Condition } from '#shared/query-builder/structure.ts';
import { withOptional } from '../../../visualizations/settings/without.ts';

type Range = Extract<Condition, { operator: 'between' }>;

/** The ends of a range of numbers, dates or times, and whether the last one is included. */
export function RangeFields({
  condition,
  type,
  onChange,
}: {
  readonly condition: Range;
  readonly type: ColumnType;
  readonly onChange: (condition: Range, field?: string) => void;
}): ReactNode {
  const { from, to, isEndExcluded = false } = condition;
  const range: Range = {
    operator: 'between',
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(isEndExcluded && { isEndExcluded }),
  };
  const setEnd = (end: 'from' | 'to', value: string | number) =>
    onChange(withOptional(range, end, value === '' ? undefined : value), end);
  // A selection in a chart may end at a time of day.
  const isTime = [from, to].some((end) => String(end).includes('T'));
  return (
    <>
      <Group gap="xs" grow>
        {(['from', 'to'] as const).map((end) => {
          const label = end === 'from' ? t('From') : t('To');
          return isNumeric(type) ? (
            <NumberInput
              key={end}
              label={label}
              size="sm"
              placeholder={t('Any')}
              hideControls
              value={condition[end] ?? ''}
              onChange={(value) => setEnd(end, value)}
            />
          ) : (
            <TextInput
              key={end}
              label={label}
              size="sm"
              type={type === 'time' ? 'time' : isTime ? 'datetime-local' : 'date'}
              {...(isTime && { step: 1 })}
              value={String(condition[end] ?? '')}
              onChange={({ currentTarget: { value } }) => setEnd(end, value)}
            />
          );
        })}
      </Group>
      {to !== undefined && (
        <Checkbox
          label={t('Exclude the end')}
          size="xs"
          checked={isEndExcluded}
          onChange={({ currentTarget: { checked } }) =>
            onChange(withOptional(range, 'isEndExcluded', checked ? true : undefined))
          }
        />
      )}
    </>
  );
}
