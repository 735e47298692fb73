import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import type { Report, ReportEdit } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import type { TableReference } from '#shared/models.ts';
import { dialectOfKind } from '#shared/query-builder/dialects/dialects.ts';
import { isNotFound } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { conflictIn } from '../../drafts/conflict/conflict.ts';
import { ConflictView } from '../../drafts/conflict/ConflictView.tsx';
import { DraftNotices } from '../../drafts/DraftNotices.tsx';
import { dropDraft, type DraftBase, type DraftKey } from '../../drafts/storage.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { useUnsavedNotice } from '../../drafts/use-unsaved-notice.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { dataSourceQuery } from '../../ui/server-data/data-source-queries.ts';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Page } from '../../ui/page/Page.tsx';
import { EditorButtons } from '../../drafts/EditorButtons.tsx';
import type { EditedReport } from './edited-report.ts';
import { editOf } from './mode.ts';
import { QueryEditor } from './QueryEditor.tsx';
import { recordIdOf, reportDrafts, withPart, type ReportContent } from './content.ts';
import { reasonAgainstSaving } from '../reasons.ts';
import { applyChoices, itemsOf } from './save/choices.ts';
import { SavedDialog } from './save/SavedDialog.tsx';
import { useSaveReport } from './save/use-save-report.ts';

interface EditorProps {
  readonly title: string;
  readonly organizationId: string;
  readonly userId: string;
  /** Undefined for a new report. */
  readonly reportId?: string;
  /** The folder that a new report is put into. */
  readonly folderId?: string | undefined;
  readonly saved: DraftBase<ReportContent>;
  /** The table that a new query starts from. */
  readonly start?: TableReference | undefined;
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
  folderId,
  saved,
  start,
  place,
  discard,
}: EditorProps & { readonly place: DraftKey; readonly discard: () => void }): ReactNode {
  const navigate = useNavigate();
  const draft = useDraft(reportDrafts, place, saved);
  useUnsavedNotice(reportDrafts, place);
  const content = draft.present;
  const change = (part: Partial<ReportContent>, group?: string) =>
    draft.dispatch({
      type: 'change',
      change: (before) => withPart(before, part),
      ...(group !== undefined && { group }),
    });
  const [created, setCreated] = useState<Report>();
  const save = useSaveReport(({ report, isMerged }) => {
    dropDraft(localStorage, reportDrafts, place);
    if (reportId === undefined) {
      setCreated(report);
      return;
    }
    notifyDone(isMerged ? t('Saved and merged with others’ changes.') : t('Saved.'));
    void navigate({ to: paths.report, params: { reportId }, search: {} });
  });
  const conflict = conflictIn<ReportEdit>(save.error);
  const source = useQuery(dataSourceQuery(content.dataSourceId));
  const [isChartPending, setChartPending] = useState(false);
  const [isSavingSoon, setSavingSoon] = useState(false);
  const isSourceHidden = isNotFound(source.error);
  const disabledReason =
    reasonAgainstSaving(content) ??
    (draft.isDirty ? undefined : t('There are no changes to save.')) ??
    (source.isLoadingError && !isSourceHidden ? t('The data source couldn’t be loaded.') : undefined);
  const submit = () => {
    if (source.isPending || isChartPending) {
      setSavingSoon(true);
      return;
    }
    setSavingSoon(false);
    if (disabledReason !== undefined) return;
    // If the data source isn't shared with you, you can still save changes that don't affect the query.
    const edit = source.data === undefined ? content : editOf(content, dialectOfKind[source.data.kind]);
    save.mutate(
      reportId === undefined
        ? { orgId: organizationId, folderId, edit }
        : { reportId, etag: draft.base.etag, edit },
    );
  };
  useEffect(() => {
    if (isSavingSoon && !isChartPending && !source.isPending) submit();
  }, [isSavingSoon, isChartPending, source.isPending]);
  const report: EditedReport = {
    organizationId,
    reportId,
    saved: saved.content,
    content,
    draft,
    change,
    save() {
      if (disabledReason === undefined && !save.isPending) submit();
    },
    setChartPending,
    saveError: save.error,
  };
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
        <EditorButtons
          draft={draft}
          back={reportId === undefined ? t('Back to reports') : t('Back to the report')}
          isSaving={save.isPending || isSavingSoon}
          save={submit}
          discard={discard}
          reason={disabledReason}
          leave={() =>
            void (reportId === undefined
              ? navigate({
                  to: paths.reports,
                  params: { orgId: organizationId },
                  search: folderId === undefined ? {} : { folder: folderId },
                })
              : navigate({ to: paths.report, params: { reportId }, search: {} }))
          }
        />
      }
    >
      <div role="status">
        <DraftNotices draft={draft} onDiscard={discard} />
      </div>
      <TextInput
        label={t('Name')}
        required
        maw={640}
        maxLength={200}
        error={faultAt(save.error, '/name')}
        value={content.name}
        onChange={(event) => change({ name: event.currentTarget.value }, 'name')}
      />
      {save.isError && <Failure error={save.error} />}
      <QueryEditor report={report} start={start} />
      {created !== undefined && <SavedDialog report={created} />}
    </Page>
  );
}
