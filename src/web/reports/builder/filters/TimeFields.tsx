import { Checkbox, Group, NumberInput, Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { rangeUnits, type Condition, type RangeUnit } from '#shared/query-builder/structure.ts';
import { useBuilder } from '../context.ts';
import { currentUnit, nameOfPeriod, periods, type Period } from './periods.ts';
import { RangeFields } from './RangeFields.tsx';

const others = [
  { value: 'between', label: t('Between two days') },
  { value: 'relative', label: t('Last or next …') },
  { value: 'is_empty', label: t('Empty') },
  { value: 'is_not_empty', label: t('Not empty') },
] as const;

/** The range of a filter of dates or times: one that is counted from now, or two days. */
export function TimeFields({
  condition,
  type,
  onChange,
}: {
  readonly condition: Condition;
  readonly type: ColumnType;
  readonly onChange: (condition: Condition, field?: string) => void;
}): ReactNode {
  const { structure } = useBuilder();
  // A range of its own that happens to have a name stays open for editing.
  const [isOwn, setIsOwn] = useState(false);
  const name = condition.operator === 'relative' && !isOwn ? nameOfPeriod(condition) : undefined;
  return (
    <>
      <Select
        label={t('Period')}
        size="sm"
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        maxDropdownHeight={320}
        data={[
          { group: t('From now'), items: periods.map(({ label }) => label) },
          { group: t('Other'), items: [...others] },
        ]}
        value={name ?? condition.operator}
        onChange={(chosen) => {
          const period = periods.find(({ label }) => label === chosen)?.period;
          setIsOwn(chosen === 'relative');
          if (period !== undefined) onChange(period);
          else if (chosen === 'relative')
            onChange({ operator: 'relative', direction: 'last', count: 90, unit: 'day' });
          else if (chosen === 'between' || chosen === 'is_empty' || chosen === 'is_not_empty')
            onChange({ operator: chosen });
        }}
        {...(type === 'instant' && {
          description: t('Days are those of the time zone {timeZone}.', {
            timeZone: structure.timeZone ?? 'UTC',
          }),
        })}
      />
      {condition.operator === 'between' && (
        <RangeFields condition={condition} type={type} onChange={onChange} />
      )}
      {condition.operator === 'relative' && name === undefined && (
        <PeriodFields period={condition} onChange={onChange} />
      )}
    </>
  );
}

const unitNames: Readonly<Record<RangeUnit, string>> = {
  minute: t('minute'),
  hour: t('hour'),
  day: t('day'),
  week: t('week'),
  month: t('month'),
  quarter: t('quarter'),
  year: t('year'),
};

const unitPlurals: Readonly<Record<RangeUnit, string>> = {
  minute: t('minutes'),
  hour: t('hours'),
  day: t('days'),
  week: t('weeks'),
  month: t('months'),
  quarter: t('quarters'),
  year: t('years'),
};

function PeriodFields({
  period,
  onChange,
}: {
  readonly period: Period;
  readonly onChange: (period: Period, field?: string) => void;
}): ReactNode {
  const { direction, count, unit, includesCurrent = false } = period;
  return (
    <>
      <Group gap="xs" grow>
        <Select
          label={t('Direction')}
          size="sm"
          allowDeselect={false}
          data={[
            { value: 'last', label: t('Last') },
            { value: 'this', label: t('This') },
            { value: 'next', label: t('Next') },
          ]}
          value={direction}
          onChange={(chosen) => {
            if (chosen === 'this')
              onChange({ ...period, direction: chosen, count: 1, includesCurrent: true });
            else if (chosen !== null) onChange({ ...period, direction: chosen });
          }}
        />
        {direction !== 'this' && (
          <NumberInput
            label={t('Count')}
            size="sm"
            min={1}
            max={10_000}
            allowDecimal={false}
            value={count}
            onChange={(value) =>
              typeof value === 'number' && value >= 1 && onChange({ ...period, count: value }, 'count')
            }
          />
        )}
        <Select
          label={t('Unit')}
          size="sm"
          allowDeselect={false}
          data={rangeUnits.map((one) => ({
            value: one,
            label: direction === 'this' ? unitNames[one] : unitPlurals[one],
          }))}
          value={unit}
          onChange={(chosen) => chosen !== null && onChange({ ...period, unit: chosen })}
        />
      </Group>
      {direction !== 'this' && (
        <Checkbox
          label={t('Include {currentUnit}', { currentUnit: currentUnit(unit) })}
          size="xs"
          checked={includesCurrent}
          onChange={({ currentTarget: { checked } }) => onChange({ ...period, includesCurrent: checked })}
        />
      )}
    </>
  );
}
