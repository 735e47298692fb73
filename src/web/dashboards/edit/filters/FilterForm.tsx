import { Checkbox, Fieldset, MultiSelect, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { targetIn, type WidgetTarget } from '#shared/dashboard-filters/bindings.ts';
import {
  filterKinds,
  labelOf,
  type FilterDefinition,
  type FilterKind,
} from '#shared/dashboard-filters/definitions.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { parameterName } from '#shared/parameter-values.ts';
import { Form } from '../../../ui/forms/Form.tsx';
import { FilterField } from '../../filters/FilterField.tsx';
import { filtersOfLines } from '#shared/dashboard-filters/filter-list.ts';
import { t } from '#shared/language/messages.ts';
import { targetsFor, type FilteredWidget, type Targets } from './draft-filters.ts';
import { kindLabels } from './kind-labels.ts';
import { ValuesFields } from './ValuesFields.tsx';

/** The definition of a filter, and the widgets that it applies to. */
export function FilterForm({
  before,
  filter: given,
  others,
  widgets,
  calendar,
  onApply,
  onCancel,
}: {
  /** The name of the filter that is changed; absent for a new one. */
  readonly before?: string | undefined;
  readonly filter: FilterDefinition;
  readonly others: readonly FilterDefinition[];
  readonly widgets: readonly FilteredWidget[];
  readonly calendar: Omit<Calendar, 'now'>;
  readonly onApply: (filter: FilterDefinition, targets: Targets) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [filter, setFilter] = useState(given);
  const [targets, setTargets] = useState<Targets>(
    () => new Map(widgets.map(({ key, config }) => [key, targetIn(config, before ?? given.name)])),
  );
  const { name, kind } = filter;
  const fault = nameFault(name, others);
  const isList = kind === 'list' || kind === 'select';
  const set = (change: Partial<FilterDefinition>) => setFilter((now) => ({ ...now, ...change }));
  const lines = widgets.flatMap(({ key, config, line }) =>
    line === undefined
      ? []
      : [{ ...line, widgetIds: [key], config: withTarget(config, name, targets.get(key)) }],
  );
  const { default: preset, ...withoutDefault } = filter;
  const shown = filtersOfLines(lines, [withoutDefault, ...others]);
  const [defaulted] = shown;
  return (
    <Form
      action={t('Apply')}
      reason={fault}
      onCancel={onCancel}
      onSubmit={() => onApply(cleaned(filter), targets)}
    >
      <TextInput
        label={t('Label')}
        data-autofocus
        maxLength={200}
        value={filter.label ?? ''}
        placeholder={name}
        onChange={(event) => set({ label: event.currentTarget.value })}
      />
      <TextInput
        label={t('Name in the URL')}
        description={t('Also the parameter that it sets, unless a widget says otherwise.')}
        required
        value={name}
        error={name === '' ? undefined : fault}
        onChange={(event) => set({ name: event.currentTarget.value.trim() })}
      />
      <NativeSelect
        label={t('Type')}
        data={filterKinds.map((value) => ({ value, label: kindLabels[value] }))}
        value={kind}
        onChange={(event) => {
          setFilter({ ...withoutDefault, kind: event.currentTarget.value as FilterKind });
        }}
      />
      {isList && <ValuesFields filter={filter} widgets={widgets} onChange={setFilter} />}
      {isList && others.length > 0 && (
        <MultiSelect
          label={t('Depends on')}
          description={t('Its list is limited by these filters, and values that no longer fit are removed.')}
          data={others.map((other) => ({ value: other.name, label: labelOf(other) }))}
          value={[...(filter.dependsOn ?? [])]}
          onChange={(dependsOn) => set({ dependsOn })}
        />
      )}
      {defaulted !== undefined && fault === undefined && (
        <Fieldset legend={t('Default of this dashboard')}>
          <FilterField
            filter={defaulted}
            value={preset}
            context={{ filters: shown, values: {}, calendar }}
            onChange={(value) => {
              const isUnset = value === undefined || value === '';
              setFilter({ ...withoutDefault, ...(!isUnset && { default: value }) });
            }}
          />
        </Fieldset>
      )}
      <Checkbox
        label={t('Required')}
        description={t("The reports that it applies to don't run until it has a value.")}
        checked={filter.isRequired === true}
        onChange={(event) => set({ isRequired: event.currentTarget.checked })}
      />
      <Fieldset legend={t('Widgets')}>
        {widgets.map(({ key, title, line }) => {
          const choices = targetsFor(line?.parameters ?? [], kind);
          return (
            <NativeSelect
              key={key}
              label={title}
              mb="xs"
              data={[
                { value: '', label: t('By its name') },
                { value: 'null', label: t('Not affected') },
                ...choices.map(({ target, label }) => ({ value: JSON.stringify(target), label })),
              ]}
              value={targets.get(key) === undefined ? '' : JSON.stringify(targets.get(key))}
              onChange={({ currentTarget: { value } }) =>
                setTargets((now) => new Map([...now, [key, value === '' ? undefined : readTarget(value)]]))
              }
            />
          );
        })}
        {widgets.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('This dashboard has no widgets yet.')}
          </Text>
        )}
      </Fieldset>
    </Form>
  );
}

/** Sound because the options have only targets. */
const readTarget = (value: string): WidgetTarget => JSON.parse(value) as WidgetTarget;

const withTarget = (
  config: Readonly<Record<string, unknown>>,
  name: string,
  target: WidgetTarget | undefined,
): Readonly<Record<string, unknown>> =>
  target === undefined ? {} : { ...config, filters: { [name]: target } };

/** Leaves out what has no meaning. */
function cleaned({
  label = '',
  isRequired,
  dependsOn = [],
  values,
  ...filter
}: FilterDefinition): FilterDefinition {
  const isList = filter.kind === 'list' || filter.kind === 'select';
  return {
    ...filter,
    ...(label !== '' && { label }),
    ...(isRequired === true && { isRequired }),
    ...(isList && dependsOn.length > 0 && { dependsOn }),
    ...(isList && values !== undefined && { values }),
  };
}

function nameFault(name: string, others: readonly FilterDefinition[]): string | undefined {
  if (name === '') return t('Enter a name first.');
  if (!parameterName.test(name)) return t('Use letters, digits and _, and start with a letter.');
  return others.some((other) => other.name === name) ? t('Another filter has this name.') : undefined;
}
