import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { isGroupable, isTemporal } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import type { DialectName } from '#shared/query-builder/dialects/dialects.ts';
import { breakOut } from '#shared/query-builder/drill/regroup.ts';
import type {
  ColumnReference,
  Group as ColumnGroup,
  QueryStructure,
} from '#shared/query-builder/structure.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import type { MarkValues } from './mark-values.ts';

/** What the rows of marks are grouped by instead. */
export interface BreakOut {
  readonly report: Report;
  readonly structure: QueryStructure;
  readonly dialect: DialectName;
  readonly values: readonly MarkValues[];
}

/** Asks which column the rows of marks are grouped by. */
export function BreakOutDialog({
  request: { structure, dialect, values },
  onChoose,
  onClose,
}: {
  readonly request: BreakOut;
  readonly onChoose: (structure: QueryStructure) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  const choices = choicesOf(structure);
  const group = choices.find(({ label }) => label === chosen)?.group;
  const drilled = group && breakOut(structure, dialect, values, group);
  const reason =
    drilled === undefined ? t('Choose a column.') : 'reason' in drilled ? drilled.reason : undefined;
  return (
    <Modal opened onClose={onClose} title={t('Break out by another column')}>
      <Stack>
        <Select
          label={t('Column')}
          data={[...new Set(choices.map(({ label }) => label))]}
          searchable
          data-autofocus
          value={chosen}
          onChange={setChosen}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <ActionButton
            reason={reason}
            onClick={() => drilled && 'structure' in drilled && onChoose(drilled.structure)}
          >
            {t('Open in the query builder')}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Returns the columns that rows can be grouped by: times by month, which people change in the builder. */
function choicesOf({
  table,
  joins = [],
}: QueryStructure): readonly { readonly label: string; readonly group: ColumnGroup }[] {
  const tables = [
    { columns: table.columns },
    ...joins.map(({ as, table: { columns } }) => ({ as, columns })),
  ];
  return tables.flatMap(({ columns, ...joined }) => {
    const as = 'as' in joined ? joined.as : undefined;
    return columns
      .filter(({ type }) => isGroupable(type))
      .map(({ name, type }) => {
        const column: ColumnReference = as === undefined ? { name } : { table: as, name };
        return {
          label: as === undefined ? name : `${as}.${name}`,
          group: { column, ...(isTemporal(type) && { granularity: 'month' as const }) },
        };
      });
  });
}
