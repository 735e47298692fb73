import { ActionIcon, Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Dimension } from '#shared/models.ts';
import type { FormulaColumn } from '#shared/query-builder/formula/completion.ts';
import type { StructureFault } from '#shared/query-builder/generate.ts';
import { FormulaField } from '../ui/formula/FormulaField.tsx';
import { FormatFields } from '../visualizations/settings/FormatFields.tsx';
import { More } from '../visualizations/settings/More.tsx';
import { withOptional } from '../visualizations/settings/without.ts';

type FormulaFault = Pick<StructureFault, 'message' | 'range'>;

/** The dimensions or the measures of a table. */
export function FormulaList({
  noun,
  example,
  formulas,
  columns,
  onChange,
  faultAt,
  formulaFaultAt,
}: {
  readonly noun: 'dimension' | 'measure';
  readonly example: string;
  readonly formulas: readonly Dimension[];
  readonly columns: readonly FormulaColumn[];
  readonly onChange: (formulas: readonly Dimension[]) => void;
  /** Returns the fault at a pointer into the model. */
  readonly faultAt: (pointer: string) => string | undefined;
  readonly formulaFaultAt: (pointer: string) => FormulaFault | undefined;
}): ReactNode {
  return (
    <Stack gap="sm">
      {formulas.map((formula, index) => (
        <FormulaFields
          // The name changes while it is typed, and nothing reorders the list.
          key={index}
          label={
            noun === 'measure'
              ? t('Measure {number}', { number: index + 1 })
              : t('Dimension {number}', { number: index + 1 })
          }
          example={example}
          formula={formula}
          nameFault={faultAt(`/${noun}s/${index}/name`)}
          columns={columns}
          hasAggregates={noun === 'measure'}
          formulaFault={formulaFaultAt(`/${noun}s/${index}/formula`)}
          onChange={(next) => onChange(formulas.with(index, next))}
          onRemove={() => onChange(formulas.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...formulas, { name: '', formula: '' }])}
        >
          {noun === 'measure' ? t('Add measure') : t('Add dimension')}
        </Button>
      </div>
    </Stack>
  );
}

function FormulaFields({
  label,
  example,
  columns,
  hasAggregates,
  formula,
  nameFault,
  formulaFault,
  onChange,
  onRemove,
}: {
  readonly label: string;
  readonly example: string;
  readonly formula: Dimension;
  readonly columns: readonly FormulaColumn[];
  readonly hasAggregates: boolean;
  readonly nameFault: string | undefined;
  readonly formulaFault: FormulaFault | undefined;
  readonly onChange: (formula: Dimension) => void;
  readonly onRemove: () => void;
}): ReactNode {
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          <TextInput
            style={{ flex: '1 1 160px' }}
            label={t('Name')}
            size="xs"
            maxLength={63}
            value={formula.name}
            error={formula.name === '' ? t('Enter a name.') : nameFault}
            onChange={(event) => onChange({ ...formula, name: event.currentTarget.value })}
          />
          <div style={{ flex: '3 1 260px', minWidth: 0 }}>
            <FormulaField
              columns={columns}
              hasAggregates={hasAggregates}
              description={t('Such as {example}', { example })}
              formula={formula.formula}
              fault={formulaFault}
              onChange={(text) => onChange({ ...formula, formula: text })}
            />
          </div>
          <ActionIcon
            variant="default"
            mt={22}
            aria-label={t('Remove {name}', { name: formula.name || label })}
            onClick={onRemove}
          >
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </Group>
        <Group gap="xs" align="flex-end">
          <TextInput
            style={{ flex: '1 1 240px' }}
            label={t('Description')}
            size="xs"
            maxLength={10_000}
            value={formula.description ?? ''}
            onChange={(event) => {
              const text = event.currentTarget.value;
              onChange(withOptional(formula, 'description', text === '' ? undefined : text));
            }}
          />
        </Group>
        <More label={t('Format')}>
          <FormatFields
            label={t('Format')}
            format={formula.format}
            onChange={(format) => onChange(withOptional(formula, 'format', format))}
          />
        </More>
      </Stack>
    </Paper>
  );
}
