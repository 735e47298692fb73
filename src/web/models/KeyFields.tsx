import { ActionIcon, Button, Group, MultiSelect, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { isSameTable, type Relationship, type TableReference } from '#shared/models.ts';
import type { ModelContent } from './draft.ts';
import { suggestRelationships } from './suggestions.ts';

const keyOf = ({ schema, name }: TableReference): string => JSON.stringify([schema, name]);

/** The primary key of a table, and its references to other tables. */
export function KeyFields({
  table,
  tables,
  model,
  onChange,
  faultAt,
}: {
  readonly table: SourceTable;
  readonly tables: readonly SourceTable[];
  readonly model: ModelContent;
  readonly onChange: (part: Partial<ModelContent>) => void;
  readonly faultAt: (pointer: string) => string | undefined;
}): ReactNode {
  const { relationships = [] } = model;
  const suggested = suggestRelationships(table, tables, relationships);
  const setRelationships = (next: readonly Relationship[]) => onChange({ relationships: next });
  const columnNames = table.columns.map(({ name }) => name);
  return (
    <Stack gap="sm">
      <MultiSelect
        label={t('Primary key')}
        description={t('The columns that identify a row')}
        size="xs"
        searchable
        data={[...new Set([...columnNames, ...(model.primaryKey ?? [])])]}
        maxValues={20}
        placeholder={(model.primaryKey ?? []).length === 0 ? table.primaryKey?.join(', ') : undefined}
        value={[...(model.primaryKey ?? [])]}
        onChange={(primaryKey) => onChange({ primaryKey })}
      />
      {relationships.map((relationship, index) => (
        <RelationshipFields
          // The name changes while it is typed, and nothing reorders the list.
          key={index}
          label={t('Relationship {number}', { number: index + 1 })}
          relationship={relationship}
          columnNames={columnNames}
          tables={tables}
          fault={
            faultAt(`/relationships/${index}/name`) ?? faultAt(`/relationships/${index}/references/columns`)
          }
          onChange={(next) => setRelationships(relationships.with(index, next))}
          onRemove={() => setRelationships(relationships.toSpliced(index, 1))}
        />
      ))}
      {suggested.length > 0 && (
        <Stack gap={4} role="group" aria-label={t('Suggested relationships')}>
          <Text size="xs" c="dimmed">
            {t('Suggested by keys and names of columns:')}
          </Text>
          <Group gap="xs">
            {suggested.map((relationship) => (
              <Button
                key={relationship.name}
                size="compact-xs"
                variant="light"
                leftSection={<IconPlus size={12} aria-hidden />}
                onClick={() => setRelationships([...relationships, relationship])}
              >
                {`${relationship.columns.join(', ')} → ${relationship.references.name}`}
              </Button>
            ))}
          </Group>
        </Stack>
      )}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            const other = tables.find((one) => !isSameTable(one, table)) ?? table;
            const references = {
              schema: other.schema,
              name: other.name,
              columns: other.primaryKey ?? [],
            };
            const names = new Set(relationships.map(({ name }) => name));
            const name = names.has(other.name) ? `${other.name} ${relationships.length + 1}` : other.name;
            setRelationships([...relationships, { name, columns: [], references }]);
          }}
        >
          {t('Add relationship')}
        </Button>
      </div>
    </Stack>
  );
}

function RelationshipFields({
  label,
  relationship,
  columnNames,
  tables,
  fault,
  onChange,
  onRemove,
}: {
  readonly label: string;
  readonly relationship: Relationship;
  readonly columnNames: readonly string[];
  readonly tables: readonly SourceTable[];
  readonly fault: string | undefined;
  readonly onChange: (relationship: Relationship) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { name, columns, references } = relationship;
  const other = tables.find((one) => isSameTable(one, references));
  const isOneSchema = tables.every(({ schema }) => schema === tables[0]?.schema);
  const otherColumns = other?.columns.map((column) => column.name) ?? [];
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <Group gap="xs" align="flex-start">
        <TextInput
          style={{ flex: '1 1 150px' }}
          label={t('Name')}
          size="xs"
          maxLength={200}
          value={name}
          error={name === '' ? t('Enter a name.') : fault}
          onChange={(event) => onChange({ ...relationship, name: event.currentTarget.value })}
        />
        <MultiSelect
          style={{ flex: '1 1 150px' }}
          label={t('Columns')}
          size="xs"
          maxValues={20}
          data={[...new Set([...columnNames, ...columns])]}
          value={[...columns]}
          onChange={(next) => onChange({ ...relationship, columns: next })}
        />
        <Select
          style={{ flex: '1 1 150px' }}
          label={t('Refer to table')}
          size="xs"
          searchable
          allowDeselect={false}
          data={[
            ...tables.map((one) => ({
              value: keyOf(one),
              label: isOneSchema ? one.name : `${one.schema}.${one.name}`,
            })),
            ...(other === undefined ? [{ value: keyOf(references), label: references.name }] : []),
          ]}
          value={keyOf(references)}
          onChange={(key) => {
            const chosen = tables.find((one) => keyOf(one) === key);
            if (chosen === undefined) return;
            const next = { schema: chosen.schema, name: chosen.name, columns: chosen.primaryKey ?? [] };
            onChange({ ...relationship, references: next });
          }}
        />
        <MultiSelect
          style={{ flex: '1 1 150px' }}
          label={t('Its columns')}
          size="xs"
          maxValues={20}
          data={[...new Set([...otherColumns, ...references.columns])]}
          value={[...references.columns]}
          error={
            columns.length === references.columns.length && columns.length > 0
              ? undefined
              : t('Choose the same number of columns on both sides.')
          }
          onChange={(next) => onChange({ ...relationship, references: { ...references, columns: next } })}
        />
        <ActionIcon variant="default" mt={22} aria-label={t('Remove {name}', { name })} onClick={onRemove}>
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
