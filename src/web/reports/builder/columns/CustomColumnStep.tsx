import { Button, Text, TextInput } from '@mantine/core';
import { IconMathFunction, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { CustomColumn, QueryStructure } from '#shared/query-builder/structure.ts';
import { customType } from '../available.ts';
import { useBuilder } from '../context.ts';
import { uniqueName } from '../names.ts';
import { StepCard } from '../StepCard.tsx';
import { StepItem } from '../StepItem.tsx';
import { allColumns } from '../up-to.ts';
import { FormulaField } from './FormulaField.tsx';

/** Returns a query with other custom columns. If the result has chosen columns, it also shows those that are new. */
function withCustomColumns(structure: QueryStructure, changed: readonly CustomColumn[]): QueryStructure {
  const { customColumns: before = [], columns, ...rest } = structure;
  const isRenamed = changed.length === before.length;
  const shown = columns && [
    ...columns.flatMap((reference) => {
      const { table, name } = reference;
      const at = table === undefined ? before.findIndex((column) => column.name === name) : -1;
      if (at === -1) return [reference];
      const after = isRenamed ? changed[at] : changed.find((column) => column.name === name);
      return after === undefined ? [] : [{ name: after.name }];
    }),
    ...changed.slice(before.length).map(({ name }) => ({ name })),
  ];
  return { ...rest, ...(changed.length > 0 && { customColumns: changed }), ...(shown && { columns: shown }) };
}

/** Returns a query with one more custom column, whose formula is still empty. */
export function withNewCustomColumn(structure: QueryStructure): QueryStructure {
  const { customColumns = [] } = structure;
  const name = uniqueName(
    t('Custom column'),
    allColumns(structure).map((column) => column.name),
  );
  return withCustomColumns(structure, [...customColumns, { name, formula: '' }]);
}

/** The columns that are computed for each row. */
export function CustomColumnStep(): ReactNode {
  const { structure, dialect, change, setOpen } = useBuilder();
  const { customColumns = [] } = structure;
  const set = (changed: readonly CustomColumn[], group?: string) =>
    change(withCustomColumns(structure, changed), group);
  return (
    <StepCard step="columns" title={t('Custom columns')} icon={IconMathFunction}>
      {customColumns.map((column, index) => (
        <StepItem
          key={index}
          step="columns"
          item={index}
          pointer={`/customColumns/${index}`}
          label={column.formula.trim() === '' ? column.name : `${column.name} = ${column.formula}`}
          remove={() => set(customColumns.toSpliced(index, 1))}
        >
          <TextInput
            label={t('Name')}
            size="sm"
            maxLength={100}
            value={column.name}
            onChange={({ currentTarget: { value } }) =>
              set(customColumns.with(index, { ...column, name: value }), `column ${index} name`)
            }
          />
          <FormulaField
            pointer={`/customColumns/${index}/formula`}
            description={t('Such as [price] * [quantity]')}
            formula={column.formula}
            onChange={(formula) =>
              set(customColumns.with(index, { ...column, formula }), `column ${index} formula`)
            }
          />
          <ResultType type={customType(structure, index, dialect)} />
        </StepItem>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            change(withNewCustomColumn(structure));
            setOpen({ step: 'columns', item: customColumns.length, isNew: true });
          }}
        >
          {t('Add a custom column')}
        </Button>
      </div>
    </StepCard>
  );
}

const ResultType = ({ type }: { readonly type: string | undefined }): ReactNode =>
  type !== undefined && (
    <Text size="xs" c="dimmed">
      {t('Type of the result: {type}', { type })}
    </Text>
  );
