import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources.ts';
import { meets, type Requirement } from '#shared/visualizations/fields.ts';

interface FieldSelectProps {
  readonly label: string;
  readonly description?: string;
  readonly columns: readonly Column[];
  readonly need?: Requirement;
}

/** A column of the answer, of those that fit. */
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
      {...common(props, value)}
      allowDeselect={false}
      value={value}
      onChange={(field) => field !== null && onChange(field)}
    />
  );
}

/** As above, or none. */
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
      {...common(props, value)}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      placeholder="None"
      value={value ?? null}
      onChange={(field) => onChange(field ?? undefined)}
    />
  );
}

function common({ label, description, columns, need = 'any' }: FieldSelectProps, value: string | undefined) {
  const names = [...new Set(columns.filter((column) => meets(column, need)).map(({ name }) => name))];
  const isMissing = value !== undefined && columns.length > 0 && !names.includes(value);
  return {
    label,
    ...(description !== undefined && { description }),
    size: 'xs',
    searchable: names.length > 10,
    nothingFoundMessage: 'No matching columns',
    // A column that is gone stays in sight, so that one sees what to mend.
    data: value === undefined || names.includes(value) ? names : [...names, value],
    error: isMissing ? 'The result has no column with this name and a suitable type.' : undefined,
  } as const;
}
