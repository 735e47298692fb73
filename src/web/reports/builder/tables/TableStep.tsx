import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { displayNameOf, findColumnModel, findModel, isSameTable, tableTitle } from '#shared/models.ts';
import { sizeOf } from '../../../data-sources/table-size.ts';
import { tablePreviewQuery } from '../../../ui/server-data/data-source-queries.ts';
import { cellText } from '../../../ui/text/cell-text.ts';
import { iconOf } from '../ColumnPicker.tsx';
import { useBuilder } from '../context.ts';
import { Faults } from '../Faults.tsx';
import { StepCard } from '../StepCard.tsx';
import { useSummary } from '../summarize/use-summary.ts';
import { isSummarized } from '../up-to.ts';
import { commonGroups } from './common-groups.ts';
import classes from './TableStep.module.css';

/** The table that the query starts from, its columns with samples of their values, and the commonest summaries. */
export function TableStep({ changeTable }: { readonly changeTable: () => void }): ReactNode {
  const { structure, tables, models, columns, faults } = useBuilder();
  const { addGroup } = useSummary();
  const [isOpen, { toggle }] = useDisclosure();
  const table = tables.find((one) => isSameTable(one, structure.table));
  const model = findModel(models, structure.table);
  const description = model?.description ?? table?.description;
  return (
    <StepCard
      step="table"
      title={tableTitle(model, structure.table)}
      icon={IconTable}
      actions={
        <Button size="compact-xs" variant="subtle" onClick={changeTable}>
          {t('Change table')}
        </Button>
      }
    >
      {description !== undefined && <Text size="sm">{description}</Text>}
      {table !== undefined && (
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {sizeOf(table)}
          </Text>
          <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? t('Hide columns') : t('Show columns')}
          </Button>
        </Group>
      )}
      {isOpen && table !== undefined && <Columns table={table} />}
      <Faults faults={faults.filter(({ pointer }) => pointer === '' || pointer.startsWith('/columns/'))} />
      {!isSummarized(structure) && (
        <Group gap={6} role="group" aria-label={t('Common summaries')}>
          {commonGroups(columns).map((column) => (
            <Button
              key={`${column.origin} ${column.label}`}
              size="compact-sm"
              variant="default"
              onClick={() => void addGroup(column, true)}
            >
              {t('Count by {label}', { label: column.label })}
            </Button>
          ))}
        </Group>
      )}
    </StepCard>
  );
}

const maxSamples = 3;

/** The columns of a table with their types, keys, descriptions, and some values. */
function Columns({ table }: { readonly table: SourceTable }): ReactNode {
  const { dataSourceId, models } = useBuilder();
  const rows = useQuery(tablePreviewQuery(dataSourceId, { schema: table.schema, table: table.name }));
  const model = findModel(models, table);
  return (
    <ul className={classes.columns} aria-label={t('Columns of {name}', { name: table.name })}>
      {table.columns.map(({ name, type, sourceType, description }) => {
        const TypeIcon = iconOf(type);
        const at = rows.data?.columns.findIndex((column) => column.name === name) ?? -1;
        const texts = (rows.data?.rows ?? []).flatMap((row) => cellText(row[at])?.slice(0, 40) ?? []);
        const samples = [...new Set(texts)].slice(0, maxSamples).join(', ');
        const described = findColumnModel(model, name)?.description ?? description;
        return (
          <li key={name}>
            <Group gap={6} wrap="nowrap">
              <TypeIcon size={14} aria-hidden style={{ flex: 'none' }} />
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {displayNameOf(model, name)}
              </Text>
              <Text size="xs" c="dimmed">
                {sourceType}
                {keyOf(table, name)}
              </Text>
            </Group>
            {described !== undefined && <Text size="xs">{described}</Text>}
            {samples !== '' && (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {samples}
              </Text>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function keyOf({ primaryKey = [], foreignKeys = [] }: SourceTable, name: string): string {
  if (primaryKey.includes(name)) return ` · ${t('primary key')}`;
  const foreign = foreignKeys.find(({ columns }) => columns.includes(name));
  return foreign === undefined ? '' : ` · ${t('refers to {table}', { table: foreign.table })}`;
}
