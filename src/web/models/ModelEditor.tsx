import { SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { DataSource, Rows, SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import type { ColumnModel } from '#shared/models.ts';
import { paths } from '../app/paths.ts';
import { DraftNotices } from '../drafts/DraftNotices.tsx';
import type { DraftBase } from '../drafts/storage.ts';
import { useDraft } from '../drafts/use-draft.ts';
import { useUnsavedNotice } from '../drafts/use-unsaved-notice.ts';
import { beginHistory } from '../drafts/undo-history.ts';
import { SearchField } from '../ui/forms/SearchField.tsx';
import { Page } from '../ui/page/Page.tsx';
import { Section } from '../ui/page/Section.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { faultAt } from '../ui/problems/field-faults.ts';
import { ColumnFields } from './ColumnFields.tsx';
import { modelDrafts, withColumn, type ModelContent } from './draft.ts';
import { EditorButtons } from '../drafts/EditorButtons.tsx';
import { findFormulaFaults } from './formula-faults.ts';
import { FormulaList } from './FormulaList.tsx';
import { KeyFields } from './KeyFields.tsx';
import { ModelConflicts } from './ModelConflicts.tsx';
import { samplesOf } from './samples.ts';
import { useSaveModel } from './use-save-model.ts';

/** The description of a table, while an author edits it. */
export function ModelEditor({
  userId,
  source,
  table,
  tables,
  rows,
  saved,
}: {
  readonly userId: string;
  readonly source: DataSource;
  readonly table: SourceTable;
  readonly tables: readonly SourceTable[];
  readonly rows: Rows | undefined;
  readonly saved: DraftBase<ModelContent>;
}): ReactNode {
  const navigate = useNavigate();
  const client = useQueryClient();
  const place = { userId, recordId: `${source.id}:${table.schema}:${table.name}` };
  const draft = useDraft(modelDrafts, place, saved);
  useUnsavedNotice(modelDrafts, place);
  const { present: model, dispatch } = draft;
  const [searched, setSearched] = useState('');
  const { save, isSaving, error, conflict, resolve } = useSaveModel(client, source, table, draft);
  const change = useCallback(
    (part: Partial<ModelContent>, group?: string) =>
      dispatch({
        type: 'change',
        change: (content) => ({ ...content, ...part }),
        ...(group !== undefined && { group }),
      }),
    [dispatch],
  );
  const changeColumn = useCallback(
    (column: ColumnModel) =>
      dispatch({
        type: 'change',
        change: (content) => withColumn(content, column),
        group: `column ${column.name}`,
      }),
    [dispatch],
  );
  const samples = useMemo(() => samplesOf(rows), [rows]);
  const formulaFaults = useMemo(() => findFormulaFaults(model, table, source.kind), [model, table, source]);
  const fault = (pointer: string) => faultAt(error, pointer);
  const formulaFault = (pointer: string) => {
    const message = fault(pointer);
    return message === undefined ? formulaFaults.get(pointer) : { message };
  };
  if (conflict !== undefined)
    return <ModelConflicts merged={conflict} isSaving={isSaving} onResolve={resolve} />;

  const search = searched.trim().toLowerCase();
  const described = new Map(model.columns?.map((column) => [column.name, column]));
  const shown = table.columns.filter(({ name }) =>
    `${name} ${described.get(name)?.displayName ?? ''}`.toLowerCase().includes(search),
  );
  const gone = (model.columns ?? []).filter(({ name }) => !table.columns.some((one) => one.name === name));
  return (
    <Page
      title={t('Describe {name}', { name: table.name })}
      description={t(
        'These names and formats are shown wherever people build queries on this table, explore it or see its charts.',
      )}
      size="md"
      actions={
        <EditorButtons
          back={t('Back to the table')}
          draft={draft}
          isSaving={isSaving}
          reason={reasonAgainstSaving(model, draft.isDirty)}
          save={save}
          leave={() =>
            void navigate({
              to: paths.dataSource,
              params: { dataSourceId: source.id },
              search: { table: table.name, schema: table.schema },
            })
          }
          discard={() => dispatch({ type: 'saved', base: saved, rebase: () => beginHistory(saved.content) })}
        />
      }
    >
      <DraftNotices
        draft={draft}
        onDiscard={() => dispatch({ type: 'saved', base: saved, rebase: () => beginHistory(saved.content) })}
      />
      {error !== null && <Failure error={error} />}
      <Section title={t('Table')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Display name')}
            maxLength={200}
            placeholder={table.name}
            value={model.displayName ?? ''}
            onChange={(event) => change({ displayName: event.currentTarget.value }, 'displayName')}
          />
          <Textarea
            label={t('Description')}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={10_000}
            placeholder={table.description}
            value={model.description ?? ''}
            onChange={(event) => change({ description: event.currentTarget.value }, 'description')}
          />
        </SimpleGrid>
      </Section>
      <Section
        title={t('Columns')}
        description={t('Hidden columns are left out of lists. Queries that use them still work.')}
      >
        {table.columns.length > 12 && (
          <SearchField label={t('Search columns')} value={searched} onChange={setSearched} />
        )}
        <Stack gap="xs">
          {shown.map((column) => (
            <ColumnFields
              key={column.name}
              column={column}
              model={described.get(column.name)}
              samples={samples.get(column.name) ?? ''}
              onChange={changeColumn}
            />
          ))}
        </Stack>
        {gone.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('Also described, but no longer in the table: {gone}.', {
              gone: gone.map(({ name }) => name).join(', '),
            })}
          </Text>
        )}
      </Section>
      <Section
        title={t('Keys')}
        description={t('Relationships let people join tables without knowing their keys.')}
      >
        <KeyFields table={table} tables={tables} model={model} onChange={change} faultAt={fault} />
      </Section>
      <Section title={t('Dimensions')} description={t('Values that are computed for each row.')}>
        <FormulaList
          noun="dimension"
          example="[price] * [quantity]"
          formulas={model.dimensions ?? []}
          onChange={(dimensions) => change({ dimensions }, 'dimensions')}
          columns={table.columns}
          faultAt={fault}
          formulaFaultAt={formulaFault}
        />
      </Section>
      <Section title={t('Measures')} description={t('Values that are computed from groups of rows.')}>
        <FormulaList
          noun="measure"
          example="sum([amount]) / count()"
          formulas={model.measures ?? []}
          onChange={(measures) => change({ measures }, 'measures')}
          columns={table.columns}
          faultAt={fault}
          formulaFaultAt={formulaFault}
        />
      </Section>
    </Page>
  );
}

function reasonAgainstSaving(model: ModelContent, isDirty: boolean): string | undefined {
  if (!isDirty) return t('There are no changes to save.');
  const formulas = [...(model.dimensions ?? []), ...(model.measures ?? [])];
  const isUnfinished =
    formulas.some(({ name, formula }) => name === '' || formula === '') ||
    (model.relationships ?? []).some(
      ({ name, columns, references }) =>
        name === '' || columns.length === 0 || columns.length !== references.columns.length,
    );
  return isUnfinished ? t('Complete or remove what has no name, columns or formula.') : undefined;
}
