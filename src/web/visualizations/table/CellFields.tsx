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
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import { ruleConditions } from '#shared/visualizations/rules.ts';
import { ColorField } from '../settings/ColorField.tsx';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { withOptional } from '../settings/without.ts';

type TableColumn = NonNullable<OfKind<'table'>['columns']>[number];
type Rule = NonNullable<TableColumn['rules']>[number];
type ColorScale = NonNullable<TableColumn['colorScale']>;

const displays = ['text', 'bar', 'sparkline', 'link'] as const;
const conditionLabels = {
  above: t('Is above'),
  atLeast: t('Is at least'),
  below: t('Is below'),
  atMost: t('Is at most'),
  equals: t('Equals'),
  differs: t('Does not equal'),
  contains: t('Contains'),
  isEmpty: t('Is empty'),
  isNotEmpty: t('Is not empty'),
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
      label={t('Show cells as')}
      size="xs"
      allowDeselect={false}
      data={[
        { value: 'text', label: t('Text') },
        { value: 'bar', label: t('Text with a bar') },
        { value: 'sparkline', label: t('Sparkline of a list') },
        { value: 'link', label: t('Link') },
      ]}
      value={column.display ?? 'text'}
      onChange={(chosen) => {
        const display = displays.find((one) => one === chosen);
        onChange(withOptional(column, 'display', display === 'text' ? undefined : display));
      }}
    />
    {column.display === 'link' && (
      <OptionalFieldSelect
        label={t('Address from')}
        description={t('Addresses start with https:, http:, mailto: or /')}
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
    <Fieldset legend={t('Cell colors')} p="xs">
      <Stack gap="xs">
        {rules.map((rule, index) => (
          <Stack key={index} gap={4}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <Select
                label={t('Rule {number}', { number: index + 1 })}
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
                  aria-label={t('Value of rule {number}', { number: index + 1 })}
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
                aria-label={t('Remove rule {number}', { number: index + 1 })}
                onClick={() => change(rules.toSpliced(index, 1))}
              />
            </Group>
            <ColorField
              label={t('Color of rule {number}', { number: index + 1 })}
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
          {t('Add rule')}
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
      label={t('Color scale')}
      checked={scale !== undefined}
      onChange={(event) => onChange(event.currentTarget.checked ? { high: '1' } : undefined)}
    />
    {scale !== undefined && (
      <>
        <ColorField
          label={t('Color of the largest value')}
          color={scale.high}
          onChange={(color) => onChange({ ...scale, high: color ?? '1' })}
        />
        <ColorField
          label={t('Color in the middle')}
          color={scale.middle}
          onChange={(color) => onChange(withOptional(scale, 'middle', color))}
        />
        <ColorField
          label={t('Color of the smallest value')}
          color={scale.low}
          onChange={(color) => onChange(withOptional(scale, 'low', color))}
        />
        <Group gap="xs" grow>
          {(['min', 'max'] as const).map((side) => (
            <NumberInput
              key={side}
              label={side === 'min' ? t('Scale from') : t('Scale to')}
              size="xs"
              placeholder={t('Auto')}
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
