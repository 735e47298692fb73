import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { TableModel } from '#shared/models.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { UndoButtons } from '../../drafts/UndoButtons.tsx';
import { useEditKeys } from '../../drafts/use-edit-keys.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { modelsQuery, tablesQuery } from '../../ui/server-data/data-source-queries.ts';
import { suggestionFor } from '#charts/suggestion.ts';
import { t } from '#shared/language/messages.ts';
import { without } from '../../visualizations/settings/without.ts';
import type { EditedReport } from '../edit/edited-report.ts';
import { ResultPane } from '../edit/ResultPane.tsx';
import { SettingsPane } from '../edit/SettingsPane.tsx';
import { availableColumns, hasChosenColumns } from './available.ts';
import classes from './Builder.module.css';
import { withStructure, type BuilderDialect } from './content.ts';
import { BuilderContext, type Builder, type OpenPart } from './context.ts';
import { ColumnsStep } from './columns/ColumnsStep.tsx';
import { CustomColumnStep } from './columns/CustomColumnStep.tsx';
import { FilterStep, ResultFilterStep } from './filters/FilterStep.tsx';
import { JoinStep } from './joins/JoinStep.tsx';
import { ColumnMenu } from './preview/ColumnMenu.tsx';
import { useBuiltResult } from './preview/use-built-result.ts';
import { LimitStep } from './sort/LimitStep.tsx';
import { SortStep } from './sort/SortStep.tsx';
import { GeneratedSql } from './GeneratedSql.tsx';
import { AddStep } from './AddStep.tsx';
import { SummarizeStep } from './summarize/SummarizeStep.tsx';
import { TableStep } from './tables/TableStep.tsx';
import { isSummarized, type Step } from './up-to.ts';

const none: readonly TableModel[] = [];

/** The query builder: the steps of a query, its result, and the settings of the report. */
export function BuilderPane({
  report,
  structure,
  dialect,
  isFocused,
  onChangeTable,
  editAsSql,
}: {
  readonly report: EditedReport;
  readonly structure: QueryStructure;
  readonly dialect: BuilderDialect;
  /** Whether the first step gets the focus, since its table was just chosen. */
  readonly isFocused: boolean;
  readonly onChangeTable: () => void;
  readonly editAsSql: () => void;
}): ReactNode {
  const { organizationId, content, draft, change, saveError } = report;
  const { dataSourceId } = content;
  const { data: tables = [] } = useQuery(tablesQuery(dataSourceId));
  const { data: models = none } = useQuery(modelsQuery(dataSourceId));
  const [open, setOpen] = useState<OpenPart>();
  const columns = useMemo(() => availableColumns(structure, dialect, models), [structure, dialect, models]);
  const generated = useMemo(() => generateQuery(structure, dialect), [structure, dialect]);
  const builder: Builder = {
    organizationId,
    dataSourceId,
    dialect,
    tables,
    models,
    structure,
    columns,
    resultColumns: 'query' in generated ? generated.query.columns : [],
    faults: 'faults' in generated ? generated.faults : [],
    change: (changed, group) =>
      draft.dispatch({
        type: 'change',
        change: (before) =>
          withStructure(
            before,
            typeof changed === 'function' ? changed(before.structure ?? structure) : changed,
            dialect,
          ),
        ...(group !== undefined && { group }),
      }),
    open,
    setOpen,
  };
  useEditKeys({
    isEnabled: true,
    undo: () => draft.dispatch({ type: 'undo' }),
    redo: () => draft.dispatch({ type: 'redo' }),
    save: report.save,
  });
  const steps = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFocused) steps.current?.querySelector<HTMLElement>('[data-add-step=filters]')?.focus();
  }, [isFocused]);
  const result = useBuiltResult(builder, report);
  return (
    <BuilderContext value={builder}>
      <div className={classes.layout}>
        <div ref={steps} className={classes.steps}>
          <Group justify="space-between" gap="xs">
            <UndoButtons
              draft={draft}
              onUndo={() => draft.dispatch({ type: 'undo' })}
              onRedo={() => draft.dispatch({ type: 'redo' })}
            />
            <ActionButton
              variant="default"
              size="sm"
              reason={builder.faults.length > 0 ? t('Complete the steps first.') : undefined}
              onClick={editAsSql}
            >
              {t('Edit as SQL')}
            </ActionButton>
          </Group>
          <TableStep
            changeTable={() => {
              onChangeTable();
              draft.dispatch({
                type: 'change',
                change: (before) => ({ ...without(before, 'structure'), query: '', parameters: [] }),
              });
            }}
          />
          {shownSteps(structure, models, open).map((step) => {
            const Part = stepParts[step];
            return <Part key={step} />;
          })}
          <AddStep />
        </div>
        <div className={classes.result}>
          <ResultPane
            name={content.name || t('Report')}
            visualization={content.visualization}
            preview={result.preview}
            isOlder={false}
            run={result.refetch}
            reasonAgainstRunning={undefined}
            hint={t('Complete the steps to see the result.')}
            menuOf={({ name }, index) => <ColumnMenu step="limit" name={name} index={index} />}
          />
          <GeneratedSql sql={content.query} />
        </div>
        <div className={classes.settings}>
          <SettingsPane
            organizationId={organizationId}
            content={content}
            change={(part) => change(part, Object.keys(part).join(' '))}
            chooseVisualization={result.choose}
            columns={result.preview.result?.columns ?? []}
            suggestion={result.preview.result && suggestionFor(content.visualization, result.preview.result)}
            error={saveError ?? result.preview.error}
            isBuilt
          />
        </div>
      </div>
    </BuilderContext>
  );
}

type LaterStep = Exclude<Step, 'table'>;

const stepParts: Readonly<Record<LaterStep, () => ReactNode>> = {
  joins: JoinStep,
  columns: CustomColumnStep,
  filters: FilterStep,
  shownColumns: ColumnsStep,
  summarize: SummarizeStep,
  resultFilters: ResultFilterStep,
  sort: SortStep,
  limit: LimitStep,
};

/** Returns the steps that have something in them, or that are being added. */
function shownSteps(
  structure: QueryStructure,
  models: readonly TableModel[],
  open: OpenPart | undefined,
): LaterStep[] {
  const { joins = [], customColumns = [], filters = [], resultFilters = [], sort = [], limit } = structure;
  const isFilled: Readonly<Record<LaterStep, boolean>> = {
    joins: joins.length > 0,
    columns: customColumns.length > 0,
    filters: filters.length > 0,
    shownColumns: hasChosenColumns(structure, models),
    summarize: isSummarized(structure),
    resultFilters: resultFilters.length > 0,
    sort: sort.length > 0,
    limit: limit !== undefined,
  };
  // Sound because these are the keys above.
  return (Object.keys(isFilled) as LaterStep[]).filter(
    (step) =>
      isFilled[step] || (open?.step === step && (step !== 'shownColumns' || !isSummarized(structure))),
  );
}
