import { Alert, Button, CloseButton, Group, Select, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { ColumnReference, Join } from '#shared/query-builder/structure.ts';
import type { AvailableColumn } from '../available.ts';
import { ColumnPicker } from '../ColumnPicker.tsx';
import { useBuilder } from '../context.ts';
import { builtResultQuery, runnableOf } from '../preview/queries.ts';
import { availableColumns } from '../available.ts';

/** The fields of a join: which rows stay, and the pairs of columns that must be equal. */
export function JoinEditor({
  join,
  index,
  change,
}: {
  readonly join: Join;
  readonly index: number;
  readonly change: (join: Join) => void;
}): ReactNode {
  const { structure, dialect } = useBuilder();
  const { table, joins = [] } = structure;
  const lefts = availableColumns({ table, joins: joins.slice(0, index) }, dialect);
  const rights: AvailableColumn[] = join.table.columns.map(({ name, type }) => ({
    reference: { name },
    type,
    label: name,
    origin: join.as,
  }));
  const setPair = (at: number, pair: { left?: ColumnReference; right?: string }) => {
    const pairs = at < join.on.length ? [...join.on] : [...join.on, { left: { name: '' }, right: '' }];
    change({ ...join, on: pairs.with(at, { ...(pairs[at] ?? { left: { name: '' }, right: '' }), ...pair }) });
  };
  const pairs = join.on.length === 0 ? [undefined] : join.on;
  return (
    <>
      {pairs.map((pair, at) => (
        <Group key={at} gap="xs" align="flex-end" wrap="nowrap" grow preventGrowOverflow={false}>
          <ColumnPicker
            label={at === 0 ? t('Column of {name}', { name: structure.table.name }) : t('and column')}
            columns={lefts}
            value={pair?.left ?? { name: '' }}
            onPick={({ reference }) => setPair(at, { left: reference })}
          />
          <ColumnPicker
            label={t('equals column of {as}', { as: join.as })}
            columns={rights}
            value={{ name: pair?.right ?? '' }}
            onPick={({ reference }) => setPair(at, { right: reference.name })}
          />
          {join.on.length > 1 && (
            <CloseButton
              aria-label={t('Remove the pair of {name} and {right}', {
                name: pair?.left.name ?? '',
                right: pair?.right ?? '',
              })}
              onClick={() => change({ ...join, on: join.on.toSpliced(at, 1) })}
            />
          )}
        </Group>
      ))}
      {join.on.length > 0 && (
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setPair(join.on.length, {})}
          >
            {t('Add another pair of columns')}
          </Button>
        </div>
      )}
      <Select
        label={t('Rows without a match')}
        size="sm"
        allowDeselect={false}
        data={[
          { value: 'left', label: t('Keep them, with empty columns of {as}', { as: join.as }) },
          { value: 'inner', label: t('Leave them out') },
        ]}
        value={join.kind}
        onChange={(kind) => kind !== null && change({ ...join, kind: kind === 'inner' ? 'inner' : 'left' })}
      />
      <Multiplied join={join} />
    </>
  );
}

/** Warns if rows match several rows of the joined table. That is counted, unless a key excludes it. */
function Multiplied({ join: { table, as, on } }: { readonly join: Join }): ReactNode {
  const builder = useBuilder();
  const source = builder.tables.find(({ schema, name }) => schema === table.schema && name === table.name);
  const key = source?.primaryKey ?? [];
  const isComplete = on.length > 0 && on.every(({ left, right }) => left.name !== '' && right !== '');
  const isUnique = key.length > 0 && key.every((name) => on.some(({ right }) => right === name));
  const repeated = useQuery({
    ...builtResultQuery(
      builder,
      runnableOf(
        {
          table,
          filters: on.map(({ right }) => ({ column: { name: right }, operator: 'is_not_empty' })),
          groups: on.map(({ right }, index) => ({
            column: { name: right },
            name: `key ${index + 1}`,
          })),
          measures: [{ aggregate: 'count', name: 'rows' }],
          sort: [{ name: 'rows', isDescending: true }],
          limit: 1,
        },
        builder.dialect,
      ),
    ),
    enabled: isComplete && !isUnique,
  });
  const most = Number(repeated.data?.rows[0]?.at(-1) ?? 0);
  if (!isComplete || isUnique || most <= 1) return null;
  return (
    <Alert
      color="yellow"
      p="xs"
      role="status"
      title={t('This join repeats rows of {name}', { name: builder.structure.table.name })}
    >
      <Text size="xs">
        {t(
          'One row matches up to {most, plural, one {# row} other {# rows}} of {as}. Counts and totals then include it several times.',
          { most, as },
        )}
      </Text>
    </Alert>
  );
}
