import { Box, Button, CloseButton, Fieldset, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { meets } from '#shared/visualizations/fields.ts';
import type { Cartesian } from '#charts/cartesian/kind.ts';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import { ColorField } from './ColorField.tsx';
import { FieldSelect } from './FieldSelect.tsx';
import { FormatFields } from './FormatFields.tsx';
import { More } from './More.tsx';
import { withOptional } from './without.ts';

type Series = Cartesian['series'];
type ComboSeries = OfKind<'combo'>['series'][number];

const shapes = ['bar', 'line', 'area'] as const;
const shapeLabels = { bar: t('Bars'), line: t('Line'), area: t('Area') } as const;

/** The settings of the series of a chart. */
export function SeriesFields({
  series,
  hasShapes = false,
  columns,
  onChange,
}: {
  readonly series: Series;
  /** Whether each series has its own shape, as in combo charts. */
  readonly hasShapes?: boolean;
  readonly columns: readonly Column[];
  readonly onChange: (series: Series) => void;
}): ReactNode {
  const measures = columns.filter((column) => meets(column, 'measure')).map(({ name }) => name);
  const next = measures.find((name) => !series.some(({ field }) => field === name)) ?? measures[0];
  return (
    <Stack gap="xs">
      {series.map((one, index) => {
        const change = (changed: Series[number]) => onChange(series.with(index, changed));
        const name = t('Series {number}', { number: index + 1 });
        return (
          <Fieldset key={index} legend={name} p="xs">
            <Stack gap="xs">
              <Group gap="xs" wrap="nowrap" align="flex-end">
                <Box flex={1}>
                  <FieldSelect
                    label={t('Column')}
                    columns={columns}
                    requirement="measure"
                    value={one.field}
                    onChange={(field) => change({ ...one, field })}
                  />
                </Box>
                {series.length > 1 && (
                  <CloseButton
                    aria-label={t('Remove series {number}', { number: index + 1 })}
                    onClick={() => onChange(series.toSpliced(index, 1))}
                  />
                )}
              </Group>
              {hasShapes && <ShapeControl name={name} one={one} onChange={(changed) => change(changed)} />}
              <More label={t('{name} options', { name })}>
                <TextInput
                  label={t('Label')}
                  size="xs"
                  maxLength={1000}
                  placeholder={one.field}
                  value={one.label ?? ''}
                  onChange={(event) =>
                    change(withOptional(one, 'label', event.currentTarget.value || undefined))
                  }
                />
                <ColorField
                  label={t('Color')}
                  color={one.color}
                  onChange={(color) => change(withOptional(one, 'color', color))}
                />
                <SegmentedControl
                  size="xs"
                  aria-label={t('{name} axis', { name })}
                  data={[
                    { value: 'left', label: t('Left axis') },
                    { value: 'right', label: t('Right axis') },
                  ]}
                  value={one.axis ?? 'left'}
                  onChange={(axis) =>
                    change(withOptional(one, 'axis', axis === 'right' ? 'right' : undefined))
                  }
                />
                <FormatFields
                  label={t('Number format')}
                  format={one.format}
                  onChange={(format) => change(withOptional(one, 'format', format))}
                />
              </More>
            </Stack>
          </Fieldset>
        );
      })}
      {next !== undefined && series.length < 20 && (
        <Button size="compact-xs" variant="subtle" onClick={() => onChange([...series, { field: next }])}>
          {t('Add series')}
        </Button>
      )}
    </Stack>
  );
}

const ShapeControl = ({
  name,
  one,
  onChange,
}: {
  readonly name: string;
  readonly one: ComboSeries;
  readonly onChange: (one: ComboSeries) => void;
}): ReactNode => (
  <SegmentedControl
    size="xs"
    aria-label={t('{name} shape', { name })}
    data={shapes.map((value) => ({ value, label: shapeLabels[value] }))}
    value={one.shape ?? 'bar'}
    onChange={(chosen) => {
      const shape = shapes.find((value) => value === chosen);
      onChange(withOptional(one, 'shape', shape === 'bar' ? undefined : shape));
    }}
  />
);
