import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import { allowedValuesQuery } from '../../reports/queries.ts';
import type { SearchValue } from '../../ui/browser/search.ts';
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
  const values = [...new Set([...chosen, ...(data?.values ?? [])])];
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

const inputTypes = { date: 'date', datetime: 'datetime-local', number: 'text', text: 'search' } as const;

/** Applies what is typed on Enter, or when the field loses the focus. */
function TypedControl({ filter, value, onChange, id }: FieldProps & { readonly id: string }): ReactNode {
  const type = filter.type === 'list' || filter.type === 'boolean' ? 'text' : filter.type;
  const shown = value === undefined ? '' : textOf(value);
  const apply = ({ currentTarget }: FocusEvent<HTMLInputElement> | KeyboardEvent<HTMLInputElement>) => {
    const typed = currentTarget.value;
    if (typed !== shown) onChange(typed === '' ? undefined : typed);
  };
  return (
    <TextInput
      // Resets the field when the URL has another value.
      key={shown}
      id={id}
      size="xs"
      w={type === 'datetime' ? 190 : 130}
      type={inputTypes[type]}
      {...(type === 'number' && { inputMode: 'decimal' })}
      {...(type === 'datetime' && { step: 1 })}
      placeholder={defaultText(filter)}
      defaultValue={shown}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event);
      }}
    />
  );
}

/** The default value of a filter as text, which is a placeholder while nothing is chosen. */
function defaultText({ default: value }: DashboardFilter): string {
  if (value === undefined || value === null) return 'Any';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
