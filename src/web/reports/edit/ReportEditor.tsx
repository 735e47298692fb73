import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import type { Report, ReportEdit } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { paths } from '../../app/paths.ts';
import { conflictIn } from '../../drafts/conflict/conflict.ts';
import { ConflictView } from '../../drafts/conflict/ConflictView.tsx';
import { DraftNotices } from '../../drafts/DraftNotices.tsx';
import { dropDraft, type DraftBase, type DraftKey } from '../../drafts/storage.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { useUnsavedNotice } from '../../drafts/use-unsaved-notice.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Page } from '../../ui/page/Page.tsx';
import { EditorActions } from './EditorActions.tsx';
import type { ParameterValues } from '../parameters/search.ts';
import { QueryPane } from '../query/QueryPane.tsx';
import { isSameRun } from './run.ts';
import { recordIdOf, reportDrafts, withPart, type ReportContent } from './content.ts';
import classes from './ReportEditor.module.css';
import { reasonAgainstRunning, reasonAgainstSaving } from '../reasons.ts';
import { reportResultQuery } from '../queries.ts';
import { ResultPane } from './ResultPane.tsx';
import { applyChoices, itemsOf } from './save/choices.ts';
import { SavedDialog } from './save/SavedDialog.tsx';
import { SettingsPane } from './SettingsPane.tsx';
import type { SqlEditorActions } from '../query/SqlEditor.tsx';
import { TablesPane } from './TablesPane.tsx';
import { usePreview } from './use-preview.ts';
import { useSaveReport } from './save/use-save-report.ts';
import { suggestionFor, suggestVisualization } from '../../visualizations/suggestion.ts';

interface EditorProps {
  readonly title: string;
  readonly organizationId: string;
  readonly userId: string;
  /** Undefined for a new report. */
  readonly reportId?: string;
  readonly saved: DraftBase<ReportContent>;
}

/** The editor of a report: its query, its result, and its chart. */
export function ReportEditor(props: EditorProps): ReactNode {
  const [edit, setEdit] = useState(0);
  const { organizationId, userId, reportId } = props;
  const place = { userId, recordId: recordIdOf({ organizationId, reportId }) };
  const discard = () => {
    dropDraft(localStorage, reportDrafts, place);
    setEdit(edit + 1);
  };
  return <Editor key={edit} {...props} place={place} discard={discard} />;
}

function Editor({
  title,
  organizationId,
  reportId,
  saved,
  place,
  discard,
}: EditorProps & { readonly place: DraftKey; readonly discard: () => void }): ReactNode {
  const navigate = useNavigate();
  const draft = useDraft(reportDrafts, place, saved);
  useUnsavedNotice(reportDrafts, place);
  const content = draft.present;
  const change = (part: Partial<ReportContent>) =>
    draft.dispatch({
      type: 'change',
      group: Object.keys(part).join(' '),
      change: (before) => withPart(before, part),
    });
  const [values, setValues] = useState<ParameterValues>({});
  const [created, setCreated] = useState<Report>();
  // Until one is chosen, a new report gets the visualization that suits its result.
  const isChosen = useRef(reportId !== undefined || content.visualization.kind !== 'table');
  const editor = useRef<SqlEditorActions>(null);

  const preview = usePreview(organizationId, content.query, ({ columns, rows }) => {
    if (!isChosen.current) change({ visualization: suggestVisualization(columns, rows) });
  });
  const save = useSaveReport(({ report, isMerged }) => {
    dropDraft(localStorage, reportDrafts, place);
    if (reportId === undefined) {
      setCreated(report);
      return;
    }
    notifyDone(isMerged ? 'Saved and merged with others’ changes.' : 'Saved.');
    void navigate({ to: paths.report, params: { reportId }, search: {} });
  });
  const conflict = conflictIn<ReportEdit>(save.error);
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
        : { reportId, etag: draft.base.etag, edit: content },
    );
  // The result of the saved query, until another one is run.
  const savedResult = useQuery({
    ...reportResultQuery(reportId ?? '', {}),
    enabled: reportId !== undefined && saved.content.query === content.query && preview.result === undefined,
  });
  const result = preview.result ?? savedResult.data;
  const ran = preview.ran ?? { content: saved.content, values: {} };
  if (conflict !== undefined && reportId !== undefined) {
    return (
      <ConflictView
        record={{ kind: 'report', id: reportId }}
        baseEtag={draft.base.etag}
        items={itemsOf(conflict)}
        isSaving={save.isPending}
        onBack={save.reset}
        onSave={(choices) =>
          save.mutate({ reportId, etag: conflict.etag, edit: applyChoices(conflict, choices) })
        }
      />
    );
  }
  return (
    <Page
      title={title}
      actions={
        <EditorActions
          draft={draft}
          isNew={reportId === undefined}
          isSaving={save.isPending}
          save={submit}
          discard={discard}
          reason={reasonAgainstSaving(content)}
          leave={() =>
            void (reportId === undefined
              ? navigate({ to: paths.reports, params: { orgId: organizationId } })
              : navigate({ to: paths.report, params: { reportId }, search: {} }))
          }
        />
      }
    >
      <div role="status">
        <DraftNotices draft={draft} onDiscard={discard} />
      </div>
      <TextInput
        label="Name"
        required
        maw={640}
        maxLength={200}
        error={faultAt(save.error, '/name')}
        value={content.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {save.isError && <Failure error={save.error} />}
      <div className={classes.layout}>
        <div className={classes.tables}>
          <TablesPane dataSourceId={content.dataSourceId} insert={(text) => editor.current?.insert(text)} />
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
            isOlder={!isSameRun(ran, { content, values })}
            run={run}
            reasonAgainstRunning={reasonAgainstRunning(content)}
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
      {created !== undefined && <SavedDialog report={created} />}
    </Page>
  );
}
