import { Button, Collapse, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { EditorActions } from './EditorActions.tsx';
import type { ParameterValues } from '../parameters/search.ts';
import { QueryPane } from '../query/QueryPane.tsx';
import type { DraftBase, ReportContent } from './draft.ts';
import classes from './ReportEditor.module.css';
import { reasonAgainstRunning, reasonAgainstSaving } from '../report-words.ts';
import { reportResultQuery } from '../report-queries.ts';
import { ResultPane } from './ResultPane.tsx';
import { conflictIn } from './save/conflict.ts';
import { SaveConflictDialog } from './save/SaveConflictDialog.tsx';
import { SavedDialog } from './save/SavedDialog.tsx';
import { SettingsPane } from './SettingsPane.tsx';
import type { SqlEditorActions } from '../query/SqlEditor.tsx';
import { TablesBrowser } from '../query/TablesBrowser.tsx';
import { usePreview } from './use-preview.ts';
import { useReportDraft } from './use-draft.ts';
import { useSaveReport } from './save/use-save-report.ts';
import { suggestionFor, suggestVisualization } from '../../visualizations/suggestion.ts';

/** Where a report is written: its query, its answer, and how that is drawn. */
export function ReportEditor({
  title,
  organizationId,
  reportId,
  stored,
  empty,
  draftKey,
}: {
  readonly title: string;
  readonly organizationId: string;
  /** Left out for a new one. */
  readonly reportId?: string;
  readonly stored?: DraftBase;
  readonly empty: ReportContent;
  /** Under which this machine keeps what is not saved. */
  readonly draftKey: string;
}): ReactNode {
  const navigate = useNavigate();
  const draft = useReportDraft(draftKey, stored, empty);
  const { content, change } = draft;
  const [values, setValues] = useState<ParameterValues>({});
  const [saved, setSaved] = useState<Report>();
  const [isConflictOpen, setIsConflictOpen] = useState(false);
  // Until somebody chooses, a new report is drawn as fits its answer.
  const isChosen = useRef(stored !== undefined || content.visualization.kind !== 'table');
  const editor = useRef<SqlEditorActions>(null);
  const isWide = useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false });
  const [isBrowsing, setIsBrowsing] = useState<boolean>();

  const preview = usePreview(organizationId, content.query, ({ columns, rows }) => {
    if (!isChosen.current) change({ visualization: suggestVisualization(columns, rows) });
  });
  const save = useSaveReport(({ report, isMerged }) => {
    localStorage.removeItem(draftKey);
    if (reportId === undefined) {
      setSaved(report);
      return;
    }
    notifyDone(isMerged ? 'Saved, together with what others saved meanwhile.' : 'Saved.');
    void navigate({ to: paths.report, params: { reportId }, search: {} });
  });
  const conflict = conflictIn(save.error);
  const run = () => {
    if (reasonAgainstRunning(content) !== undefined) return;
    const names = new Set(content.parameters.map(({ name }) => name));
    preview.run(content, Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))));
  };
  const chooseVisualization = (visualization: Visualization) => {
    isChosen.current = true;
    change({ visualization });
  };
  const submit = () =>
    save.mutate(
      reportId === undefined
        ? { orgId: organizationId, edit: content }
        : { reportId, etag: draft.base?.etag ?? '', edit: content },
      { onError: () => setIsConflictOpen(true) },
    );
  // The answer of what is stored, until something else is run.
  const answered = useQuery({
    ...reportResultQuery(reportId ?? '', {}),
    enabled: stored?.content.query === content.query && preview.result === undefined,
  });
  const result = preview.result ?? answered.data;
  const isTablesOpen = isBrowsing ?? isWide;
  return (
    <Page
      title={title}
      size="full"
      actions={
        <EditorActions
          draft={draft}
          isNew={reportId === undefined}
          isSaving={save.isPending}
          save={submit}
          reason={reasonAgainstSaving(content)}
          leave={() =>
            void (reportId === undefined
              ? navigate({ to: paths.reports, params: { orgId: organizationId } })
              : navigate({ to: paths.report, params: { reportId }, search: {} }))
          }
        />
      }
    >
      <TextInput
        label="Name"
        required
        maw={640}
        maxLength={200}
        error={faultAt(save.error, '/name')}
        value={content.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {save.isError && conflict === undefined && <Failure error={save.error} />}
      <div className={classes.layout}>
        <div className={classes.tables}>
          {!isWide && (
            <Button
              size="compact-sm"
              variant="subtle"
              mb={4}
              aria-expanded={isTablesOpen}
              onClick={() => setIsBrowsing(!isTablesOpen)}
            >
              {isTablesOpen ? 'Hide the tables' : 'Show the tables'}
            </Button>
          )}
          <Collapse expanded={isTablesOpen}>
            {isTablesOpen && (
              <TablesBrowser
                dataSourceId={content.dataSourceId}
                insert={(text) => editor.current?.insert(text)}
              />
            )}
          </Collapse>
        </div>
        <div className={classes.main}>
          <QueryPane
            organizationId={organizationId}
            content={content}
            change={change}
            values={values}
            setValues={setValues}
            preview={preview}
            run={run}
            editor={editor}
          />
          <ResultPane
            name={content.name || 'Report'}
            visualization={content.visualization}
            preview={{ ...preview, result }}
            run={run}
          />
        </div>
        <div className={classes.settings}>
          <SettingsPane
            content={content}
            change={change}
            chooseVisualization={chooseVisualization}
            columns={result?.columns ?? []}
            suggestion={result && suggestionFor(content.visualization, result)}
            error={save.error ?? preview.error}
          />
        </div>
      </div>
      {conflict !== undefined && isConflictOpen && reportId !== undefined && (
        <SaveConflictDialog
          conflict={conflict}
          isSaving={save.isPending}
          save={(edit, etag) => save.mutate({ reportId, etag, edit })}
          close={() => setIsConflictOpen(false)}
        />
      )}
      {saved !== undefined && <SavedDialog report={saved} />}
    </Page>
  );
}
