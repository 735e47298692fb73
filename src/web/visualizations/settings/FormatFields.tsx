import { Group, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { without } from './without.ts';

const kinds: { value: ValueFormat['kind']; label: string }[] = [
  { value: 'auto', label: t('Automatic') },
  { value: 'number', label: t('Number') },
  { value: 'percent', label: t('Percent (0.5 is 50%)') },
  { value: 'currency', label: t('Currency') },
  { value: 'date', label: t('Date') },
  { value: 'datetime', label: t('Date and time') },
  { value: 'text', label: t('Unformatted') },
];

/** The settings of a format. */
export function FormatFields({
  label,
  format,
  onChange,
}: {
  readonly label: string;
  readonly format: ValueFormat | undefined;
  readonly onChange: (format: ValueFormat | undefined) => void;
}): ReactNode {
  const current = format ?? { kind: 'auto' };
  const change = (next: ValueFormat) =>
    onChange(Object.keys(next).length === 1 && next.kind === 'auto' ? undefined : next);
  const isNumber = ['auto', 'number', 'percent', 'currency'].includes(current.kind);
  const setText = (name: 'prefix' | 'suffix', text: string) =>
    change(text === '' ? without(current, name) : { ...current, [name]: text });
  return (
    <>
      <Group gap="xs" grow align="flex-end" wrap="nowrap">
        <Select
          label={label}
          size="xs"
          allowDeselect={false}
          data={kinds}
          value={current.kind}
          onChange={(kind) => {
            const chosen = kinds.find(({ value }) => value === kind)?.value;
            if (chosen === undefined) return;
            const rest = without(current, 'currency');
            change({
              ...rest,
              kind: chosen,
              ...(chosen === 'currency' && { currency: current.currency ?? 'EUR' }),
            });
          }}
        />
        {isNumber && (
          <NumberInput
            label={t('Decimals')}
            size="xs"
            maw={90}
            min={0}
            max={10}
            allowDecimal={false}
            placeholder={t('Auto')}
            value={current.decimals ?? ''}
            onChange={(decimals) =>
              change(
                decimals === '' ? without(current, 'decimals') : { ...current, decimals: Number(decimals) },
              )
            }
          />
        )}
      </Group>
      {current.kind === 'currency' && (
        <TextInput
          label={t('Currency')}
          description={t('A three-letter code, such as EUR')}
          size="xs"
          maxLength={3}
          error={/^[A-Z]{3}$/.test(current.currency ?? '') ? undefined : t('Enter three letters.')}
          value={current.currency ?? ''}
          onChange={(event) => change({ ...current, currency: event.currentTarget.value.toUpperCase() })}
        />
      )}
      {isNumber && (
        <Switch
          label={t('Abbreviate: 1,200,000 as 1.2M')}
          size="xs"
          checked={current.isCompact ?? false}
          onChange={(event) =>
            change(
              event.currentTarget.checked ? { ...current, isCompact: true } : without(current, 'isCompact'),
            )
          }
        />
      )}
      <Group gap="xs" grow>
        <TextInput
          label={t('Prefix')}
          size="xs"
          maxLength={1000}
          value={current.prefix ?? ''}
          onChange={(event) => setText('prefix', event.currentTarget.value)}
        />
        <TextInput
          label={t('Suffix')}
          size="xs"
          maxLength={1000}
          value={current.suffix ?? ''}
          onChange={(event) => setText('suffix', event.currentTarget.value)}
        />
      </Group>
    </>
  );
}
