import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  MultiSelect,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import { meets } from '#shared/visualizations/fields.ts';
import type { SettingsProps } from '../kind.ts';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import { withOptional } from '../settings/without.ts';

type Value = OfKind<'pivot'>['values'][number];

const aggregates = ['sum', 'count', 'average', 'min', 'max'] as const;
const aggregateLabels = {
  sum: t('Sum'),
  count: t('Count'),
  average: t('Average'),
  min: t('Minimum'),
  max: t('Maximum'),
} as const;

/** The settings of a pivot table: what becomes rows and columns, and what its cells show. */
export function PivotSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'pivot'>>): ReactNode {
  const names = [...new Set([...columns.map(({ name }) => name), ...v.rows, ...(v.columns ?? [])])];
  const { hasTotals = true, hasSubtotals = true } = v;
  return (
    <>
      <MultiSelect
        label={t('Rows')}
        size="xs"
        data={names.filter((name) => !(v.columns ?? []).includes(name))}
        value={v.rows}
        maxValues={5}
        onChange={(rows) => rows.length > 0 && onChange({ ...v, rows })}
      />
      <MultiSelect
        label={t('Columns')}
        size="xs"
        clearable
        data={names.filter((name) => !v.rows.includes(name))}
        value={v.columns ?? []}
        maxValues={3}
        onChange={(chosen) => onChange(withOptional(v, 'columns', chosen.length === 0 ? undefined : chosen))}
      />
      <ValueList values={v.values} columns={columns} onChange={(values) => onChange({ ...v, values })} />
      <Switch
        size="xs"
        label={t('Totals')}
        checked={hasTotals}
        onChange={(event) =>
          onChange(withOptional(v, 'hasTotals', event.currentTarget.checked ? undefined : false))
        }
      />
      <Switch
        size="xs"
        label={t('Subtotals')}
        checked={hasSubtotals}
        onChange={(event) =>
          onChange(withOptional(v, 'hasSubtotals', event.currentTarget.checked ? undefined : false))
        }
      />
    </>
  );
}

function ValueList({
  values,
  columns,
  onChange,
}: {
  readonly values: readonly Value[];
  readonly columns: readonly Column[];
  readonly onChange: (values: Value[]) => void;
}): ReactNode {
  const next = columns.find((column) => meets(column, 'measure'))?.name;
  return (
    <Stack gap="xs">
      {values.map((value, index) => {
        const name = t('Value {number}', { number: index + 1 });
        const change = (changed: Value) => onChange(values.with(index, changed));
        return (
          <Fieldset key={index} legend={name} p="xs">
            <Stack gap="xs">
              <Group gap="xs" wrap="nowrap" align="flex-end">
                <Select
                  label={t('{name} shows', { name })}
                  size="xs"
                  flex={1}
                  allowDeselect={false}
                  data={aggregates.map((one) => ({ value: one, label: aggregateLabels[one] }))}
                  value={value.aggregate}
                  onChange={(chosen) => {
                    const aggregate = aggregates.find((one) => one === chosen);
                    if (aggregate !== undefined) change({ ...value, aggregate });
                  }}
                />
                {values.length > 1 && (
                  <CloseButton
                    aria-label={t('Remove value {number}', { number: index + 1 })}
                    onClick={() => onChange(values.toSpliced(index, 1))}
                  />
                )}
              </Group>
              <OptionalFieldSelect
                label={t('Column of value {number}', { number: index + 1 })}
                columns={columns}
                requirement="measure"
                value={value.field}
                onChange={(field) =>
                  change(
                    field === undefined
                      ? { ...withOptional(value, 'field', undefined), aggregate: 'count' }
                      : { ...value, field },
                  )
                }
              />
              <More label={t('{name} options', { name })}>
                <TextInput
                  label={t('Label')}
                  size="xs"
                  maxLength={1000}
                  value={value.label ?? ''}
                  onChange={(event) =>
                    change(withOptional(value, 'label', event.currentTarget.value || undefined))
                  }
                />
                <FormatFields
                  label={t('Number format')}
                  format={value.format}
                  onChange={(format) => change(withOptional(value, 'format', format))}
                />
              </More>
            </Stack>
          </Fieldset>
        );
      })}
      {values.length < 10 && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() =>
            onChange([
              ...values,
              next === undefined ? { aggregate: 'count' } : { field: next, aggregate: 'average' },
            ])
          }
        >
          {t('Add value')}
        </Button>
      )}
    </Stack>
  );
}
