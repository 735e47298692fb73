import { NativeSelect, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { dateFormat } from '#shared/region/intl.ts';
import { faultAt } from '../ui/problems/field-faults.ts';
import { dayFromNow, expiryChoices } from './expiry.ts';

/** The choice of a date, which is a field with the name `day`. */
export const onDate = 'date';

/** Asks when a token expires. */
export function ExpiryField({
  maxDays,
  before,
  selected,
  error,
  onSelect,
}: {
  readonly maxDays: number | undefined;
  readonly before: number | undefined;
  readonly selected: string;
  readonly error: unknown;
  readonly onSelect: (choice: string) => void;
}): ReactNode {
  const now = Date.now();
  const format = dateFormat({ dateStyle: 'medium' });
  const labelOf = (days: number) =>
    t('{days, plural, one {# day} other {# days}}, until {date}', {
      days,
      date: format.format(new Date(now + days * 86_400_000)),
    });
  const fault = faultAt(error, '/expiresAt');
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('Expires after')}
        description={
          maxDays !== undefined &&
          t(
            '{days, plural, one {At most # day in this organization} other {At most # days in this organization}}',
            {
              days: maxDays,
            },
          )
        }
        disabled={maxDays === undefined}
        data={[
          ...expiryChoices(maxDays ?? 0, before).map((days) => ({
            value: String(days),
            label: labelOf(days),
          })),
          { value: onDate, label: t('On a date…') },
        ]}
        value={selected}
        onChange={(event) => onSelect(event.currentTarget.value)}
        error={selected === onDate ? undefined : fault}
      />
      {selected === onDate && (
        <TextInput
          name="day"
          type="date"
          label={t('Last day')}
          required
          min={dayFromNow(0, now)}
          max={dayFromNow(maxDays ?? 0, now)}
          error={fault}
        />
      )}
    </Stack>
  );
}
