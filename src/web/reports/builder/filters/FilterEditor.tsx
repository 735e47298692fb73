import { Checkbox, Select, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { operatorsOf } from '#shared/query-builder/filters/condition-fault.ts';
import type { Condition, Filter } from '#shared/query-builder/structure.ts';
import { More } from '../../../visualizations/settings/More.tsx';
import { withOptional } from '../../../visualizations/settings/without.ts';
import { FormulaField } from '../columns/FormulaField.tsx';
import { conditionKindOf, labelOfOperator, withOperator } from './condition-kinds.ts';
import { RangeFields } from './RangeFields.tsx';
import { TimeFields } from './TimeFields.tsx';
import { ValuePicker } from './ValuePicker.tsx';

type ColumnFilter = Extract<Filter, { column: unknown }>;
/** Changes with the same `field` in a row are one step to undo. */
type Change = (filter: Filter, field?: string) => void;

/** The fields of a filter, by the type of its column. */
export function FilterEditor({
  filter,
  pointer,
  type,
  hasValues,
  change,
}: {
  readonly filter: Filter;
  /** Where the filter is in the structure. */
  readonly pointer: string;
  /** Whether the values of its column can be listed. */
  readonly hasValues: boolean;
  /** Undefined if the column is missing, and for a formula. */
  readonly type: ColumnType | undefined;
  readonly change: Change;
}): ReactNode {
  if ('formula' in filter) {
    return (
      <FormulaField
        pointer={`${pointer}/formula`}
        description={t('Only rows for which it is true are kept')}
        formula={filter.formula}
        onChange={(formula) => change({ formula }, 'formula')}
      />
    );
  }
  if ('any' in filter) {
    return (
      <Text size="sm" c="dimmed">
        {t('This filter was made from a selection in a chart. You can remove it, or edit it as SQL.')}
      </Text>
    );
  }
  return <ColumnFilterEditor filter={filter} type={type ?? 'other'} hasValues={hasValues} change={change} />;
}

function ColumnFilterEditor({
  filter,
  type,
  hasValues,
  change,
}: {
  readonly filter: ColumnFilter;
  readonly type: ColumnType;
  readonly hasValues: boolean;
  readonly change: Change;
}): ReactNode {
  const { column, parameter, isOptional = false } = filter;
  const kind = conditionKindOf(type);
  const setCondition = (condition: Condition, field?: string) =>
    change(
      {
        column,
        ...(parameter !== undefined && { parameter }),
        ...(isOptional && { isOptional }),
        ...condition,
      },
      field,
    );
  // A group is chosen by clicking on it in a chart.
  const operators = operatorsOf(type).filter(
    (operator) => operator !== 'in_group' && (hasValues || (operator !== 'is' && operator !== 'is_not')),
  );
  const hasParameter = !['is_empty', 'is_not_empty', 'relative', 'in_group'].includes(filter.operator);
  return (
    <>
      {kind !== 'date' && kind !== 'boolean' && (
        <Select
          label={t('Condition')}
          size="sm"
          allowDeselect={false}
          data={operators.map((operator) => ({ value: operator, label: labelOfOperator(operator) }))}
          value={filter.operator}
          onChange={(operator) => operator !== null && setCondition(withOperator(filter, operator))}
        />
      )}
      <ConditionFields filter={filter} type={type} setCondition={setCondition} />
      {hasParameter && (
        <More label={t('More')}>
          <TextInput
            label={t('Parameter')}
            description={t('The name by which dashboards and links set the value')}
            size="xs"
            maxLength={64}
            placeholder={column.name}
            value={parameter ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change(withOptional(filter, 'parameter', value === '' ? undefined : value), 'parameter')
            }
          />
          <Checkbox
            label={t('May be left empty')}
            description={t('The filter then allows all rows')}
            size="xs"
            checked={isOptional}
            onChange={({ currentTarget: { checked } }) =>
              change(withOptional(filter, 'isOptional', checked ? true : undefined))
            }
          />
        </More>
      )}
    </>
  );
}

function ConditionFields({
  filter,
  type,
  setCondition,
}: {
  readonly filter: ColumnFilter;
  readonly type: ColumnType;
  readonly setCondition: (condition: Condition, field?: string) => void;
}): ReactNode {
  const kind = conditionKindOf(type);
  if (kind === 'date') return <TimeFields condition={filter} type={type} onChange={setCondition} />;
  if (kind === 'boolean') return <BooleanField condition={filter} onChange={setCondition} />;
  switch (filter.operator) {
    case 'is':
    case 'is_not': {
      const { operator } = filter;
      return (
        <ValuePicker
          column={filter.column}
          type={type}
          values={filter.values}
          onChange={(values) => setCondition({ operator, values })}
        />
      );
    }
    case 'contains':
    case 'does_not_contain':
    case 'starts_with':
    case 'ends_with': {
      const { operator } = filter;
      return (
        <TextInput
          label={t('Text')}
          description={t('Upper and lower case are the same')}
          size="sm"
          maxLength={1_000}
          value={filter.text}
          onChange={({ currentTarget: { value } }) => setCondition({ operator, text: value }, 'text')}
        />
      );
    }
    case 'between':
      return <RangeFields condition={filter} type={type} onChange={setCondition} />;
    case 'relative':
    case 'in_group':
    case 'is_empty':
    case 'is_not_empty':
      return null;
  }
}

function BooleanField({
  condition,
  onChange,
}: {
  readonly condition: Condition;
  readonly onChange: (condition: Condition) => void;
}): ReactNode {
  const value = 'values' in condition ? String(condition.values[0]) : condition.operator;
  return (
    <Select
      label={t('Value')}
      size="sm"
      allowDeselect={false}
      data={[
        { value: 'true', label: t('Yes') },
        { value: 'false', label: t('No') },
        { value: 'is_empty', label: t('Empty') },
        { value: 'is_not_empty', label: t('Not empty') },
      ]}
      value={value}
      onChange={(chosen) => {
        if (chosen === 'is_empty' || chosen === 'is_not_empty') onChange({ operator: chosen });
        else if (chosen !== null) onChange({ operator: 'is', values: [chosen === 'true'] });
      }}
    />
  );
}
