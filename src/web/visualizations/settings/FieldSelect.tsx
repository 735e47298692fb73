import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { meets, type Requirement } from '#shared/visualizations/fields.ts';

interface FieldSelectProps {
  readonly label: string;
  readonly description?: string;
  readonly columns: readonly Column[];
  readonly requirement?: Requirement;
}

/** Selects one of the suitable columns of the result. */
export function FieldSelect({
  value,
  onChange,
  ...props
}: FieldSelectProps & {
  readonly value: string;
  readonly onChange: (field: string) => void;
}): ReactNode {
  return (
    <Select
      {...selectProps(props, value)}
      allowDeselect={false}
      value={value}
      onChange={(field) => field !== null && onChange(field)}
    />
  );
}

/** Selects one of the suitable columns, or none. */
export function OptionalFieldSelect({
  value,
  onChange,
  ...props
}: FieldSelectProps & {
  readonly value: string | undefined;
  readonly onChange: (field: string | undefined) => void;
}): ReactNode {
  return (
    <Select
      {...selectProps(props, value)}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear {label}', { label: props.label }) }}
      placeholder={t('None')}
      value={value ?? null}
      onChange={(field) => onChange(field ?? undefined)}
    />
  );
}

function selectProps(
  { label, description, columns, requirement = 'any' }: FieldSelectProps,
  value: string | undefined,
) {
  const names = [...new Set(columns.filter((column) => meets(column, requirement)).map(({ name }) => name))];
  const isMissing = value !== undefined && columns.length > 0 && !names.includes(value);
  return {
    label,
    ...(description !== undefined && { description }),
    size: 'xs',
    searchable: names.length > 10,
    nothingFoundMessage: t('No matching columns'),
    // A missing column stays visible, so that people see what to fix.
    data: value === undefined || names.includes(value) ? names : [...names, value],
    error: isMissing ? t('The result has no column with this name and a suitable type.') : undefined,
  } as const;
}
