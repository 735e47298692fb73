import { ActionIcon, Select, TagsInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { labelOf } from '#shared/dashboard-filters/definitions.ts';
import { resolveDay } from '#shared/dates/ranges.ts';
import { valueOf } from '#shared/dashboard-filters/values.ts';
import type { SearchValue } from '../../ui/browser/search.ts';
import { inputTypeOf, useTypedText } from '../../ui/forms/use-typed-text.ts';
import { DateRangeControl } from './DateRangeControl.tsx';
import { hasValues, type ValuesContext } from './queries.ts';
import { listOf, type DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { t } from '#shared/language/messages.ts';
import { textOf } from './filters.ts';
import { idOfFilter } from './focus-filter.ts';
import { ListControl } from './ListControl.tsx';
import { NumberRangeControl } from './NumberRangeControl.tsx';
import classes from '../view/DashboardToolbar.module.css';

interface FieldProps {
  readonly filter: DashboardFilter;
  readonly value: SearchValue;
  readonly context: ValuesContext;
  /** Undefined resets the filter to its default. */
  readonly onChange: (value: SearchValue) => void;
}

/** The label of a filter, and a control that suits its kind, or the type of its parameter. */
export function FilterField({
  onHighlight,
  ...props
}: FieldProps & { readonly onHighlight?: ((name: string | undefined) => void) | undefined }): ReactNode {
  const id = useId();
  const { filter, value, onChange } = props;
  const { definition } = filter;
  const label = labelOf(filter);
  const shown = valueOf(
    props.value === undefined ? {} : { [filter.name]: props.value },
    filter.name,
    definition,
  );
  const isMissing = definition?.isRequired === true && textOf(shown) === '';
  const highlight = () => onHighlight?.(filter.name);
  const unhighlight = () => onHighlight?.(undefined);
  // Ranges have no control of their own that clears them.
  const canClear = isRangeKind(filter) && textOf(shown) !== '';
  return (
    <div
      id={idOfFilter(filter.name)}
      className={classes['filter']}
      data-set={value !== undefined || undefined}
      data-missing={isMissing || undefined}
      onPointerEnter={highlight}
      onPointerLeave={unhighlight}
      onFocus={highlight}
      onBlur={unhighlight}
    >
      <label htmlFor={id} className={classes['label']}>
        {label}
        {definition?.isRequired === true && (
          <span className={classes['required']} aria-hidden>
            {' *'}
          </span>
        )}
      </label>
      <Control {...props} id={id} value={definition === undefined ? value : shown} />
      {canClear && (
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t('Clear {label}', { label })}
          onClick={() => onChange(clearedOf(filter))}
        >
          <IconX size={14} />
        </ActionIcon>
      )}
    </div>
  );
}

const isRangeKind = ({ definition }: DashboardFilter): boolean =>
  definition?.kind === 'date_range' || definition?.kind === 'number_range';

/** A filter with a default is cleared by an empty value, since a missing one means the default. */
const clearedOf = ({ definition }: DashboardFilter): SearchValue =>
  definition?.default === undefined ? undefined : '';

function Control(props: FieldProps & { readonly id: string }): ReactNode {
  const { filter, value, context, id } = props;
  const { type, definition } = filter;
  const onChange = (chosen: SearchValue) => props.onChange(chosen ?? clearedOf(filter));
  const common = { id, size: 'xs', placeholder: defaultText(filter) } as const;
  const range = {
    id,
    label: labelOf(filter),
    value: textOf(value),
    onChange: (text: string) => onChange(text === '' ? undefined : text),
  };
  if (definition?.kind === 'date_range') return <DateRangeControl {...range} calendar={context.calendar} />;
  if (definition?.kind === 'number_range') return <NumberRangeControl {...range} />;
  if (hasValues(filter))
    return <ListControl {...props} placeholder={defaultText(filter)} onChange={onChange} />;
  if (type === 'list') {
    return (
      <TagsInput
        {...common}
        {...(value !== undefined && { placeholder: '' })}
        w={200}
        value={listOf(value).filter((text) => text !== '')}
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
        value={textOf(value) === '' ? null : textOf(value)}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    );
  }
  return <TypedControl {...props} onChange={onChange} />;
}

const yesAndNo = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
];

/** A date can be relative, which its control shows as the day that it is now. */
function TypedControl({
  filter,
  value: given,
  context,
  onChange,
  id,
}: FieldProps & { readonly id: string }): ReactNode {
  const type = filter.type === 'list' || filter.type === 'boolean' ? 'text' : filter.type;
  const value = dayOf(given, filter, context);
  // The browser's controls for dates and times have no placeholder, so they show the default itself.
  const preset = type === 'date' || type === 'datetime' ? presetOf(filter) : '';
  const shown = value === undefined ? preset : textOf(value);
  const { field } = useTypedText(shown, (typed) =>
    onChange(typed === '' || (typed === preset && filter.definition === undefined) ? undefined : typed),
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

function dayOf(value: SearchValue, { type }: DashboardFilter, { calendar }: ValuesContext): SearchValue {
  if (type !== 'date' || value === undefined) return value;
  return resolveDay(textOf(value), { ...calendar, now: Date.now() }) ?? value;
}

/** The default value of a filter as a placeholder while nothing is chosen. */
function defaultText(filter: DashboardFilter): string {
  if (typeof filter.default === 'boolean') return filter.default ? t('Yes') : t('No');
  return presetOf(filter) || t('Any');
}

/** The default value of a filter as text; empty if it has none. */
const presetOf = ({ default: value, definition }: DashboardFilter): string =>
  definition !== undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value ?? '');
