import { Group, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { without } from './without.ts';

type ValueFormat = NonNullable<Extract<Visualization, { kind: 'number' }>['format']>;

const kinds: { value: ValueFormat['kind']; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'number', label: 'Number' },
  { value: 'percent', label: 'Percent (0.5 is 50%)' },
  { value: 'currency', label: 'Currency' },
  { value: 'date', label: 'Date' },
  { value: 'datetime', label: 'Date and time' },
  { value: 'text', label: 'Unformatted' },
];

/** How values are written out. */
export function FormatFields({
  label,
  format,
  onChange,
}: {
  readonly label: string;
  readonly format: ValueFormat | undefined;
  readonly onChange: (format: ValueFormat | undefined) => void;
}): ReactNode {
  const now = format ?? { kind: 'auto' };
  const change = (next: ValueFormat) =>
    onChange(Object.keys(next).length === 1 && next.kind === 'auto' ? undefined : next);
  const isNumber = ['auto', 'number', 'percent', 'currency'].includes(now.kind);
  const setText = (name: 'prefix' | 'suffix', text: string) =>
    change(text === '' ? without(now, name) : { ...now, [name]: text });
  return (
    <>
      <Group gap="xs" grow align="flex-end" wrap="nowrap">
        <Select
          label={label}
          size="xs"
          allowDeselect={false}
          data={kinds}
          value={now.kind}
          onChange={(kind) => {
            const chosen = kinds.find(({ value }) => value === kind)?.value;
            if (chosen === undefined) return;
            const rest = without(now, 'currency');
            change({
              ...rest,
              kind: chosen,
              ...(chosen === 'currency' && { currency: now.currency ?? 'EUR' }),
            });
          }}
        />
        {isNumber && (
          <NumberInput
            label="Decimals"
            size="xs"
            maw={90}
            min={0}
            max={10}
            allowDecimal={false}
            placeholder="Auto"
            value={now.decimals ?? ''}
            onChange={(decimals) =>
              change(decimals === '' ? without(now, 'decimals') : { ...now, decimals: Number(decimals) })
            }
          />
        )}
      </Group>
      {now.kind === 'currency' && (
        <TextInput
          label="Currency"
          description="A three-letter code, such as EUR"
          size="xs"
          maxLength={3}
          error={/^[A-Z]{3}$/.test(now.currency ?? '') ? undefined : 'Enter three letters.'}
          value={now.currency ?? ''}
          onChange={(event) => change({ ...now, currency: event.currentTarget.value.toUpperCase() })}
        />
      )}
      {isNumber && (
        <Switch
          label="Abbreviate: 1,200,000 as 1.2M"
          size="xs"
          checked={now.isCompact ?? false}
          onChange={(event) =>
            change(event.currentTarget.checked ? { ...now, isCompact: true } : without(now, 'isCompact'))
          }
        />
      )}
      <Group gap="xs" grow>
        <TextInput
          label="Prefix"
          size="xs"
          maxLength={1000}
          value={now.prefix ?? ''}
          onChange={(event) => setText('prefix', event.currentTarget.value)}
        />
        <TextInput
          label="Suffix"
          size="xs"
          maxLength={1000}
          value={now.suffix ?? ''}
          onChange={(event) => setText('suffix', event.currentTarget.value)}
        />
      </Group>
    </>
  );
}
