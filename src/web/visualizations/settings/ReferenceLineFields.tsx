import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReferenceLine } from '#charts/cartesian/reference-lines.ts';
import { t } from '#shared/language/messages.ts';
import { ColorField } from './ColorField.tsx';
import { More } from './More.tsx';
import { withOptional, without } from './without.ts';

type Value = ReferenceLine['value'];

/** A line that is edited; some charts have no axis to choose. */
interface EditedLine<Axis extends string> extends Omit<ReferenceLine, 'axis'> {
  readonly axis?: Axis;
}

interface AxisChoice<Axis extends string> {
  readonly value: Axis;
  readonly label: string;
}

const statistics = [
  { value: 'number', label: t('A number') },
  { value: 'average', label: t('Average') },
  { value: 'median', label: t('Median') },
  { value: 'min', label: t('Minimum') },
  { value: 'max', label: t('Maximum') },
  { value: 'percentile', label: t('Percentile') },
] as const;

const maxLines = 10;

/** Lines and bands at values of the axis, such as goals and averages. */
export function ReferenceLineFields<Axis extends string = never>({
  lines = [],
  fields = [],
  axes = [],
  onChange,
}: {
  readonly lines: readonly EditedLine<Axis>[] | undefined;
  /** The columns of the series. */
  readonly fields?: readonly string[];
  /** The axes that a line can be on, if there are several; the first is the default. */
  readonly axes?: readonly AxisChoice<Axis>[];
  readonly onChange: (lines: EditedLine<Axis>[] | undefined) => void;
}): ReactNode {
  const change = (next: EditedLine<Axis>[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <Fieldset legend={t('Reference lines')} p="xs">
      <Stack gap="xs">
        {lines.map((line, index) => (
          <LineFields
            key={index}
            name={t('Line {number}', { number: index + 1 })}
            line={line}
            fields={fields}
            axes={axes}
            onChange={(changed) => change(lines.with(index, changed))}
            onRemove={() => change(lines.toSpliced(index, 1))}
          />
        ))}
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={lines.length >= maxLines}
          onClick={() => change([...lines, { value: 0, label: t('Goal') }])}
        >
          {t('Add reference line')}
        </Button>
      </Stack>
    </Fieldset>
  );
}

function LineFields<Axis extends string>({
  name,
  line,
  fields,
  axes,
  onChange,
  onRemove,
}: {
  /** The beginning of its labels. */
  readonly name: string;
  readonly line: EditedLine<Axis>;
  readonly fields: readonly string[];
  readonly axes: readonly AxisChoice<Axis>[];
  readonly onChange: (line: EditedLine<Axis>) => void;
  readonly onRemove: () => void;
}): ReactNode {
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          label={t('{name} label', { name })}
          size="xs"
          flex={1}
          maxLength={100}
          value={line.label ?? ''}
          onChange={(event) => onChange(withOptional(line, 'label', event.currentTarget.value || undefined))}
        />
        <CloseButton aria-label={t('Remove {name}', { name: name.toLowerCase() })} onClick={onRemove} />
      </Group>
      <ValueFields
        name={line.to === undefined ? name : t('{name} start', { name })}
        value={line.value}
        fields={fields}
        onChange={(value) => onChange({ ...line, value })}
      />
      {line.to !== undefined && (
        <ValueFields
          name={t('{name} end', { name })}
          value={line.to}
          fields={fields}
          onChange={(to) => onChange({ ...line, to })}
        />
      )}
      <More label={t('{name} options', { name })}>
        <SegmentedControl
          size="xs"
          aria-label={t('{name} shape', { name })}
          data={[
            { value: 'line', label: t('Line') },
            { value: 'band', label: t('Band') },
          ]}
          value={line.to === undefined ? 'line' : 'band'}
          onChange={(shape) =>
            onChange(withOptional(line, 'to', shape === 'band' ? endAfter(line.value) : undefined))
          }
        />
        {axes.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('{name} axis', { name })}
            data={[...axes]}
            value={line.axis ?? axes[0]?.value ?? ''}
            onChange={(chosen) => {
              const axis = axes.findIndex(({ value }) => value === chosen);
              const found = axes[axis]?.value;
              onChange(axis <= 0 || found === undefined ? without(line, 'axis') : { ...line, axis: found });
            }}
          />
        )}
        <ColorField
          label={t('{name} color', { name })}
          color={line.color}
          onChange={(color) => onChange(withOptional(line, 'color', color))}
        />
      </More>
    </Stack>
  );
}

const endAfter = (value: Value): Value => (typeof value === 'number' ? value + 1 : { statistic: 'max' });

/** A number, or the statistic that it is computed by. */
function ValueFields({
  name,
  value,
  fields,
  onChange,
}: {
  readonly name: string;
  readonly value: Value;
  readonly fields: readonly string[];
  readonly onChange: (value: Value) => void;
}): ReactNode {
  return (
    <Group gap="xs" grow align="flex-end">
      <Select
        label={t('{name} at', { name })}
        size="xs"
        allowDeselect={false}
        data={statistics}
        value={typeof value === 'number' ? 'number' : value.statistic}
        onChange={(chosen) => {
          const statistic = statistics.find((one) => one.value === chosen)?.value;
          if (statistic === undefined) return;
          if (statistic === 'number') onChange(typeof value === 'number' ? value : 0);
          else onChange({ ...(typeof value === 'number' ? {} : value), statistic });
        }}
      />
      {typeof value === 'number' ? (
        <NumberInput
          label={t('{name} value', { name })}
          size="xs"
          value={value}
          onChange={(next) => typeof next === 'number' && onChange(next)}
        />
      ) : (
        <>
          {value.statistic === 'percentile' && (
            <NumberInput
              label={t('{name} percentile', { name })}
              size="xs"
              min={0}
              max={100}
              clampBehavior="strict"
              value={value.percentile ?? 90}
              onChange={(next) => typeof next === 'number' && onChange({ ...value, percentile: next })}
            />
          )}
          {fields.length > 1 && (
            <Select
              label={t('{name} of', { name })}
              size="xs"
              allowDeselect={false}
              // A column can't be called by an empty text.
              data={[{ value: '', label: t('All series') }, ...fields]}
              value={value.field ?? ''}
              onChange={(field) => onChange(withOptional(value, 'field', field || undefined))}
            />
          )}
        </>
      )}
    </Group>
  );
}
