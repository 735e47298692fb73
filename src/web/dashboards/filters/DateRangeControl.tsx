import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Popover,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { calendarUnits, type Calendar, type CalendarUnit } from '#shared/dates/days.ts';
import {
  absoluteRange,
  formatLastUnits,
  formatRange,
  parseLastUnits,
  rangePresets,
  type LastUnits,
} from '#shared/dates/ranges.ts';
import { nameOfRange } from '#shared/dates/range-names.ts';
import { currentDays, rangeText } from '#shared/dashboard-filters/filter-text.ts';
import { t } from '#shared/language/messages.ts';
import classes from './FilterBar.module.css';

/** Chooses a range of dates: a preset, the last units, or two days. */
export function DateRangeControl({
  id,
  label,
  value,
  calendar,
  onChange,
}: {
  readonly id: string;
  readonly label: string;
  /** The range as in the URL; empty if none is selected. */
  readonly value: string;
  readonly calendar: Omit<Calendar, 'now'>;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const days = currentDays(value, calendar);
  const choose = (text: string) => {
    setIsOpen(false);
    onChange(text);
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          id={id}
          size="xs"
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={14} />}
          aria-label={`${label}: ${rangeText(value)}`}
          title={days}
          onClick={() => setIsOpen(!isOpen)}
        >
          {rangeText(value)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} className={classes['range'] ?? ''}>
        <Stack gap={0} className={classes['presets'] ?? ''} role="group" aria-label={t('Presets')}>
          {rangePresets.map((preset) => (
            <Button
              key={preset}
              size="compact-sm"
              variant={preset === value ? 'light' : 'subtle'}
              color={preset === value ? '' : 'gray'}
              c={preset === value ? '' : 'var(--mantine-color-text)'}
              justify="flex-start"
              fw={400}
              aria-pressed={preset === value}
              onClick={() => choose(preset)}
            >
              {nameOfRange(preset)}
            </Button>
          ))}
        </Stack>
        <Stack gap="md">
          <LastUnitsForm value={value} onChange={choose} />
          <DaysForm value={value} onChange={choose} />
          <Text size="xs" c="dimmed">
            {days === undefined ? '' : `${days}. `}
            {t('Days in the time zone {timeZone}.', { timeZone: calendar.timeZone })}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const unitPlurals: Readonly<Record<CalendarUnit, string>> = {
  day: t('days'),
  week: t('weeks'),
  month: t('months'),
  quarter: t('quarters'),
  year: t('years'),
};

const toDateLabels: Readonly<Record<CalendarUnit, string>> = {
  day: t('and today'),
  week: t('and this week to date'),
  month: t('and this month to date'),
  quarter: t('and this quarter to date'),
  year: t('and this year to date'),
};

const maxUnits = 9_999;

function LastUnitsForm({ value, onChange }: FormProps): ReactNode {
  const [{ count, unit, isToNow }, setLast] = useState<LastUnits>(
    parseLastUnits(value) ?? { count: 14, unit: 'day', isToNow: false },
  );
  return (
    <form
      aria-label={t('Last units')}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(formatLastUnits({ count, unit, isToNow }));
      }}
    >
      <Group gap="xs" align="flex-end">
        <NumberInput
          label={t('Last')}
          size="xs"
          w={70}
          min={1}
          max={maxUnits}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          value={count}
          onChange={(number) => setLast({ count: Math.max(1, Number(number)), unit, isToNow })}
        />
        <NativeSelect
          aria-label={t('Unit')}
          size="xs"
          w={110}
          data={calendarUnits.map((each) => ({ value: each, label: unitPlurals[each] }))}
          value={unit}
          onChange={(event) => setLast({ count, unit: event.currentTarget.value as CalendarUnit, isToNow })}
        />
        <Button type="submit" size="xs" variant="default">
          {t('Set')}
        </Button>
      </Group>
      <Checkbox
        mt={6}
        size="xs"
        label={toDateLabels[unit]}
        checked={isToNow}
        onChange={(event) => setLast({ count, unit, isToNow: event.currentTarget.checked })}
      />
    </form>
  );
}

function DaysForm({ value, onChange }: FormProps): ReactNode {
  const [{ from = '', to = '' }, setDays] = useState(absoluteRange(value) ?? {});
  const isBackwards = from !== '' && to !== '' && from > to;
  return (
    <form
      aria-label={t('Days')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBackwards) onChange(formatRange({ ...(from !== '' && { from }), ...(to !== '' && { to }) }));
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label={t('From')}
          type="date"
          size="xs"
          w={130}
          value={from}
          onChange={(event) => setDays({ from: event.currentTarget.value, to })}
        />
        <TextInput
          label={t('To')}
          type="date"
          size="xs"
          w={130}
          value={to}
          error={isBackwards ? t('Before the first day') : undefined}
          onChange={(event) => setDays({ from, to: event.currentTarget.value })}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          disabled={isBackwards || (from === '' && to === '')}
        >
          {t('Set')}
        </Button>
      </Group>
    </form>
  );
}

interface FormProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}
