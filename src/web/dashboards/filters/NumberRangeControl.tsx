import { Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumberRange, parseNumberRange } from '#shared/dashboard-filters/values.ts';
import { t } from '#shared/language/messages.ts';
import { useTypedText } from '../../ui/forms/use-typed-text.ts';

/** Two numbers; without one of them, the range is open there. */
export function NumberRangeControl({
  id,
  label,
  value,
  onChange,
}: {
  readonly id: string;
  readonly label: string;
  /** The range as in the URL; empty if none is selected. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { from, to } = parseNumberRange(value) ?? { from: '', to: '' };
  const set = (range: { from: string; to: string }) => onChange(formatNumberRange(range));
  return (
    <Group gap={4} wrap="nowrap">
      <End
        id={id}
        label={t('{label}, from', { label })}
        placeholder={t('From')}
        value={from}
        onChange={(text) => set({ from: text, to })}
      />
      <span aria-hidden>–</span>
      <End
        label={t('{label}, to', { label })}
        placeholder={t('To')}
        value={to}
        onChange={(text) => set({ from, to: text })}
      />
    </Group>
  );
}

function End({
  id,
  label,
  placeholder,
  value,
  onChange,
}: {
  readonly id?: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const { field } = useTypedText(value, (typed) => {
    const text = typed.trim().replace(',', '.');
    if (text === '' || Number.isFinite(Number(text))) onChange(text);
  });
  return (
    <TextInput
      {...field}
      {...(id !== undefined && { id })}
      size="xs"
      w={80}
      inputMode="decimal"
      aria-label={label}
      placeholder={placeholder}
    />
  );
}
