import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { parameterValue } from '#shared/parameter-values.ts';
import { inputTypeOf, useTypedText } from '../../ui/forms/use-typed-text.ts';

interface ParameterFieldProps {
  readonly parameter: Pick<ReportParameter, 'name' | 'label' | 'type'>;
  /** Null if none is chosen. */
  readonly value: ParameterValue;
  readonly onChange: (value: ParameterValue) => void;
  /** The allowed values; any value of the type if left out. */
  readonly allowed?: readonly string[] | undefined;
  readonly error?: string | undefined;
}

/** A field for the value of a parameter, by its type. Calls `onChange` when a value is chosen, or when typing is finished. */
export function ParameterField({
  parameter,
  value,
  onChange,
  allowed,
  error,
}: ParameterFieldProps): ReactNode {
  const { name, label = name, type } = parameter;
  const common = { label, error, size: 'sm' } as const;
  if (type === 'list') {
    const chosen = Array.isArray(value) ? (value as string[]) : [];
    const change = (texts: string[]) => onChange(texts.length === 0 ? null : texts);
    return allowed === undefined ? (
      <TagsInput {...common} clearable placeholder={placeholder(chosen)} value={chosen} onChange={change} />
    ) : (
      <MultiSelect
        {...common}
        searchable
        clearable
        data={[...new Set([...allowed, ...chosen])]}
        placeholder={placeholder(chosen)}
        value={chosen}
        onChange={change}
        clearButtonProps={{ 'aria-label': t('Clear {label}', { label }) }}
      />
    );
  }
  if (type === 'boolean' || allowed !== undefined) {
    const choices = allowed ?? ['true', 'false'];
    const shown = value === null ? null : String(value);
    return (
      <Select
        {...common}
        searchable={choices.length > 8}
        clearable
        data={[...new Set([...choices, ...(shown === null ? [] : [shown])])].map((choice) => ({
          value: choice,
          label: type === 'boolean' ? (choice === 'true' ? t('Yes') : t('No')) : choice,
        }))}
        placeholder={t('Any')}
        value={shown}
        onChange={(text) => onChange(text === null ? null : parameterValue(type, text))}
        clearButtonProps={{ 'aria-label': t('Clear {label}', { label }) }}
      />
    );
  }
  return <TypedField {...common} label={label} type={type} value={value} onChange={onChange} />;
}

const placeholder = (chosen: readonly string[]): string => (chosen.length === 0 ? t('Any') : '');

function TypedField({
  label,
  type,
  value,
  onChange,
  error,
  size,
}: {
  readonly label: string;
  readonly type: 'text' | 'number' | 'date' | 'datetime';
  readonly value: ParameterValue;
  readonly onChange: (value: ParameterValue) => void;
  readonly error: string | undefined;
  readonly size: 'sm';
}): ReactNode {
  const stored = value === null || typeof value === 'object' ? '' : String(value);
  const { setText, field } = useTypedText(stored, (text) =>
    onChange(text === '' ? null : parameterValue(type, text)),
  );
  const common = { label, error, size, placeholder: t('Any') };
  if (type === 'number')
    return <NumberInput {...common} {...field} onChange={(number) => setText(String(number))} />;
  return <TextInput {...common} {...field} type={inputTypeOf(type, field.value)} maxLength={10_000} />;
}
