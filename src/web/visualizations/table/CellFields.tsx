import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources.ts';
import type { OfKind } from '#charts/kind.ts';
import { ruleConditions } from '#shared/visualizations/rules.ts';
import { ColorField } from '../settings/ColorField.tsx';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { withOptional } from '../settings/without.ts';

type TableColumn = NonNullable<OfKind<'table'>['columns']>[number];
type Rule = NonNullable<TableColumn['rules']>[number];
type ColorScale = NonNullable<TableColumn['colorScale']>;

const displays = ['text', 'bar', 'sparkline', 'link'] as const;
const conditionLabels = {
  above: 'Is above',
  atLeast: 'Is at least',
  below: 'Is below',
  atMost: 'Is at most',
  equals: 'Equals',
  differs: 'Does not equal',
  contains: 'Contains',
  isEmpty: 'Is empty',
  isNotEmpty: 'Is not empty',
} as const;

/** How the cells of a column are shown: as text, with bars, as small lines or links; and their colors. */
export const CellFields = ({
  column,
  columns,
  onChange,
}: {
  readonly column: TableColumn;
  readonly columns: readonly Column[];
  readonly onChange: (column: TableColumn) => void;
}): ReactNode => (
  <>
    <Select
      label="Show cells as"
      size="xs"
      allowDeselect={false}
      data={[
        { value: 'text', label: 'Text' },
        { value: 'bar', label: 'Text with a bar' },
        { value: 'sparkline', label: 'Sparkline of a list' },
        { value: 'link', label: 'Link' },
      ]}
      value={column.display ?? 'text'}
      onChange={(chosen) => {
        const display = displays.find((one) => one === chosen);
        onChange(withOptional(column, 'display', display === 'text' ? undefined : display));
      }}
    />
    {column.display === 'link' && (
      <OptionalFieldSelect
        label="Address from"
        description="Addresses start with https:, http:, mailto: or /"
        columns={columns}
        value={column.linkField}
        onChange={(field) => onChange(withOptional(column, 'linkField', field))}
      />
    )}
    <RuleFields rules={column.rules} onChange={(rules) => onChange(withOptional(column, 'rules', rules))} />
    <ScaleFields
      scale={column.colorScale}
      onChange={(scale) => onChange(withOptional(column, 'colorScale', scale))}
    />
  </>
);

function RuleFields({
  rules = [],
  onChange,
}: {
  readonly rules: readonly Rule[] | undefined;
  readonly onChange: (rules: Rule[] | undefined) => void;
}): ReactNode {
  const change = (next: Rule[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <Fieldset legend="Cell colors" p="xs">
      <Stack gap="xs">
        {rules.map((rule, index) => (
          <Stack key={index} gap={4}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <Select
                label={`Rule ${index + 1}`}
                size="xs"
                flex={1}
                allowDeselect={false}
                data={ruleConditions.map((value) => ({ value, label: conditionLabels[value] }))}
                value={rule.when}
                onChange={(chosen) => {
                  const when = ruleConditions.find((one) => one === chosen);
                  if (when !== undefined) change(rules.with(index, { ...rule, when }));
                }}
              />
              {rule.when !== 'isEmpty' && rule.when !== 'isNotEmpty' && (
                <TextInput
                  aria-label={`Value of rule ${index + 1}`}
                  size="xs"
                  flex={1}
                  maxLength={1000}
                  value={rule.value ?? ''}
                  onChange={(event) =>
                    change(rules.with(index, { ...rule, value: event.currentTarget.value }))
                  }
                />
              )}
              <CloseButton
                aria-label={`Remove rule ${index + 1}`}
                onClick={() => change(rules.toSpliced(index, 1))}
              />
            </Group>
            <ColorField
              label={`Color of rule ${index + 1}`}
              color={rule.color}
              onChange={(color) => change(rules.with(index, { ...rule, color: color ?? '1' }))}
            />
          </Stack>
        ))}
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={rules.length >= 20}
          onClick={() => change([...rules, { when: 'above', value: '0', color: String(rules.length + 3) }])}
        >
          Add rule
        </Button>
      </Stack>
    </Fieldset>
  );
}

const ScaleFields = ({
  scale,
  onChange,
}: {
  readonly scale: ColorScale | undefined;
  readonly onChange: (scale: ColorScale | undefined) => void;
}): ReactNode => (
  <>
    <Switch
      size="xs"
      label="Color scale"
      checked={scale !== undefined}
      onChange={(event) => onChange(event.currentTarget.checked ? { high: '1' } : undefined)}
    />
    {scale !== undefined && (
      <>
        <ColorField
          label="Color of the largest value"
          color={scale.high}
          onChange={(color) => onChange({ ...scale, high: color ?? '1' })}
        />
        <ColorField
          label="Color in the middle"
          color={scale.middle}
          onChange={(color) => onChange(withOptional(scale, 'middle', color))}
        />
        <ColorField
          label="Color of the smallest value"
          color={scale.low}
          onChange={(color) => onChange(withOptional(scale, 'low', color))}
        />
        <Group gap="xs" grow>
          {(['min', 'max'] as const).map((side) => (
            <NumberInput
              key={side}
              label={side === 'min' ? 'Scale from' : 'Scale to'}
              size="xs"
              placeholder="Auto"
              value={scale[side] ?? ''}
              onChange={(value) =>
                onChange(withOptional(scale, side, typeof value === 'number' ? value : undefined))
              }
            />
          ))}
        </Group>
      </>
    )}
  </>
);
