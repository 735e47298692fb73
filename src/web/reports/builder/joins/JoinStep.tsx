import { IconArrowsJoin2 } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { TableModel } from '#shared/models.ts';
import type { ColumnReference, Join, QueryStructure } from '#shared/query-builder/structure.ts';
import { listFormat } from '#shared/region/intl.ts';
import { without } from '../../../visualizations/settings/without.ts';
import { hasChosenColumns, isSameColumn, shownColumns } from '../available.ts';
import { Picker } from '../ColumnPicker.tsx';
import { useBuilder } from '../context.ts';
import { StepCard } from '../StepCard.tsx';
import { StepItem } from '../StepItem.tsx';
import { allColumns } from '../up-to.ts';
import { JoinEditor } from './JoinEditor.tsx';
import { newJoin, suggestJoins } from './suggestions.ts';

/** Returns a query with other joins. Without a summary, its result shows the columns of all tables, after those that people chose. */
function withJoins(
  structure: QueryStructure,
  joins: readonly Join[],
  models: readonly TableModel[],
): QueryStructure {
  const rest = without(without(structure, 'joins'), 'columns');
  const joined: QueryStructure = joins.length === 0 ? rest : { ...rest, joins };
  const columns = shownColumns(joined, models);
  if (hasChosenColumns(structure, models)) {
    const known = allColumns(structure);
    const left = allColumns(joined);
    const has = (list: readonly ColumnReference[], column: ColumnReference) =>
      list.some((one) => isSameColumn(one, column));
    const chosen = (structure.columns ?? []).filter((column) => has(left, column));
    const added = (columns ?? []).filter((column) => !has(known, column));
    if (chosen.length + added.length > 0) return { ...joined, columns: [...chosen, ...added] };
  }
  return columns === undefined ? joined : { ...joined, columns };
}

/** The tables whose columns are added to the rows. */
export function JoinStep(): ReactNode {
  const { structure, tables, models, change, open, setOpen } = useBuilder();
  const { joins = [] } = structure;
  const suggestions = useMemo(() => suggestJoins(structure, tables, models), [structure, tables, models]);
  const others = tables.filter(({ fault }) => fault === undefined);
  const add = (join: Join) => {
    change(withJoins(structure, [...joins, join], models));
    setOpen({ step: 'joins', item: joins.length, isNew: join.on.length === 0 });
  };
  return (
    <StepCard step="joins" title={t('Join')} icon={IconArrowsJoin2}>
      {joins.map((join, index) => (
        <StepItem
          key={index}
          step="joins"
          item={index}
          pointer={`/joins/${index}`}
          label={joinInWords(join, structure.table.name)}
          remove={() => change(withJoins(structure, joins.toSpliced(index, 1), models))}
        >
          <JoinEditor
            join={join}
            index={index}
            change={(changed) => change({ ...structure, joins: joins.with(index, changed) })}
          />
        </StepItem>
      ))}
      <Picker
        label={t('Join a table')}
        isAdding
        isFocused={open?.step === 'joins' && open.item === undefined}
        value={null}
        data={[
          ...(suggestions.length > 0
            ? [
                {
                  group: t('Suggested'),
                  items: suggestions.map(({ table, on, isToMany }, index) => ({
                    value: `suggested ${index}`,
                    label: suggestionInWords(table.name, on, isToMany, structure.table.name),
                  })),
                },
              ]
            : []),
          {
            group: t('All tables'),
            items: others.map(({ schema, name }, index) => ({
              value: `table ${index}`,
              label: others.some((one) => one.name === name && one.schema !== schema)
                ? `${schema}.${name}`
                : name,
            })),
          },
        ]}
        onPick={(chosen) => {
          const [list, index] = chosen.split(' ');
          const suggestion = suggestions[Number(index)];
          const table = others[Number(index)];
          if (list === 'suggested' && suggestion) add(newJoin(structure, suggestion.table, suggestion.on));
          else if (list === 'table' && table) add(newJoin(structure, table, []));
        }}
      />
    </StepCard>
  );
}

const suggestionInWords = (
  name: string,
  on: Join['on'],
  isToMany: boolean | undefined,
  first: string,
): string =>
  isToMany === true
    ? t('{table} where {condition} (may repeat rows)', {
        table: name,
        condition: pairsInWords(on, name, first),
      })
    : t('{table} where {condition}', { table: name, condition: pairsInWords(on, name, first) });

const pairsInWords = (on: Join['on'], as: string, first: string): string =>
  listFormat().format(on.map(({ left, right }) => `${left.table ?? first}.${left.name} = ${as}.${right}`));

const joinInWords = ({ as, on }: Join, first: string): string =>
  on.length === 0
    ? as
    : t('{table} where {condition}', { table: as, condition: pairsInWords(on, as, first) });
