import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { allowedValuesQuery } from '../../reports/queries.ts';
import type { SearchValue } from '../../ui/browser/search.ts';
import { inputTypeOf, useTypedText } from '../../ui/forms/use-typed-text.ts';
import { listOf, textOf, type DashboardFilter } from './filters.ts';
import classes from '../view/DashboardToolbar.module.css';

interface FieldProps {
  readonly filter: DashboardFilter;
  readonly value: SearchValue;
  /** Undefined resets the parameter to its default. */
  readonly onChange: (value: SearchValue) => void;
}

/** The label of a filter, and a control that suits the type of its parameter. */
export function FilterField(props: FieldProps): ReactNode {
  const id = useId();
  const { name, label } = props.filter;
  return (
    <div className={classes['filter']} data-set={props.value !== undefined || undefined}>
      <label htmlFor={id} className={classes['label']}>
        {label === undefined || label === '' ? name : label}
      </label>
      <Control {...props} id={id} />
    </div>
  );
}

function Control(props: FieldProps & { readonly id: string }): ReactNode {
  const { filter, value, onChange, id } = props;
  const { type, hasAllowed } = filter;
  const common = { id, size: 'xs', placeholder: defaultText(filter) } as const;
  if (hasAllowed) return <AllowedControl {...props} />;
  if (type === 'list') {
    return (
      <TagsInput
        {...common}
        {...(value !== undefined && { placeholder: '' })}
        w={200}
        value={[...listOf(value)]}
        onChange={(values) => onChange(values.length === 0 ? undefined : values)}
      />
    );
  }
  if (type === 'boolean') {
    return (
      <Select
        {...common}
        w={110}
        clearable
        data={yesAndNo}
        value={value === undefined ? null : textOf(value)}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    );
  }
  return <TypedControl {...props} />;
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** Selects one or several of the parameter's allowed values, which load when the field gets the focus. */
function AllowedControl({ filter, value, onChange, id }: FieldProps & { readonly id: string }): ReactNode {
  const [wasFocused, setWasFocused] = useState(false);
  const { data, error } = useQuery({
    ...allowedValuesQuery(filter.reportId, filter.name),
    enabled: wasFocused,
  });
  const chosen = listOf(value);
  const values = [...new Set([...chosen, ...(data?.items ?? [])])];
  const common = {
    id,
    size: 'xs',
    data: values,
    searchable: true,
    clearable: true,
    limit: 200,
    placeholder: defaultText(filter),
    maxDropdownHeight: 320,
    nothingFoundMessage:
      error !== null ? "The values couldn't be loaded." : data ? 'No matching values' : 'Loading…',
    onFocus: () => setWasFocused(true),
  } as const;
  return filter.type === 'list' ? (
    <MultiSelect
      {...common}
      {...(chosen.length > 0 && { placeholder: '' })}
      w={220}
      value={[...chosen]}
      onChange={(values) => onChange(values.length === 0 ? undefined : values)}
    />
  ) : (
    <Select
      {...common}
      w={150}
      value={value === undefined ? null : textOf(value)}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

function TypedControl({ filter, value, onChange, id }: FieldProps & { readonly id: string }): ReactNode {
  const type = filter.type === 'list' || filter.type === 'boolean' ? 'text' : filter.type;
  // The browser's controls for dates and times have no placeholder, so they show the default itself.
  const preset = type === 'date' || type === 'datetime' ? presetOf(filter) : '';
  const shown = value === undefined ? preset : textOf(value);
  const { field } = useTypedText(shown, (typed) =>
    onChange(typed === '' || typed === preset ? undefined : typed),
  );
  const inputType = inputTypeOf(type, field.value);
  return (
    <TextInput
      {...field}
      id={id}
      size="xs"
      w={type === 'datetime' ? 190 : 130}
      type={type === 'text' ? 'search' : inputType}
      {...(type === 'number' && { inputMode: 'decimal' })}
      {...(inputType === 'datetime-local' && { step: 1 })}
      placeholder={defaultText(filter)}
    />
  );
}

/** The default value of a filter as a placeholder while nothing is chosen. */
function defaultText(filter: DashboardFilter): string {
  if (typeof filter.default === 'boolean') return filter.default ? 'Yes' : 'No';
  return presetOf(filter) || 'Any';
}

/** The default value of a filter as text; empty if it has none. */
const presetOf = ({ default: value }: DashboardFilter): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');
