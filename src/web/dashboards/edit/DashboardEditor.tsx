import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { randomId } from '../../ui/browser/random-id.ts';
import { AddWidgetDialog } from './widget/AddWidgetDialog.tsx';
import { ConflictView } from './conflict/ConflictView.tsx';
import { addWidget } from './draft/content.ts';
import type { ReadDashboard } from './draft/state.ts';
import type { DraftPlace } from './draft/storage.ts';
import { EditorHead } from './EditorHead.tsx';
import { EditorNotices } from './EditorNotices.tsx';
import { EditorToolbar } from './EditorToolbar.tsx';
import { EditorWidgets } from './grid/EditorWidgets.tsx';
import { useDashboardEvents } from '../live/use-dashboard-events.ts';
import { useDraft } from './draft/use-draft.ts';
import { useEditKeys } from './use-edit-keys.ts';
import { useEditorResults } from './use-editor-results.ts';
import { useLeaving } from './draft/use-leaving.ts';
import { usePresence } from '../live/use-presence.ts';
import { useReportNames } from '../results/use-report-names.ts';
import { useSaving } from './draft/use-saving.ts';

/** The edit of a dashboard: its draft, its widgets, and the ways to save it. */
export function DashboardEditor({
  read,
  place,
  onDiscard,
}: {
  readonly read: ReadDashboard;
  readonly place: DraftPlace;
  readonly onDiscard: () => void;
}): ReactNode {
  const { userId, dashboardId } = place;
  const draft = useDraft(place, read);
  const news = useDashboardEvents(dashboardId);
  const lastSaver = news.savedBy?.userId === userId ? undefined : news.savedBy?.userName;
  const saving = useSaving(dashboardId, draft, lastSaver ?? 'others');
  const nameOfReport = useReportNames(read.dashboard.organizationId);
  const results = useEditorResults(dashboardId, draft.base, draft.present);
  const navigate = useNavigate();
  const [isAdding, setIsAdding] = useState(false);
  usePresence(dashboardId);
  useLeaving(place);

  const leave = () => navigate({ to: paths.dashboard, params: { dashboardId } });
  const saveAndLeave = async () => {
    if (await saving.save()) await leave();
  };
  const undo = () => draft.dispatch({ type: 'undo' });
  const redo = () => draft.dispatch({ type: 'redo' });
  useEditKeys({ isOn: saving.conflict === undefined, undo, redo, save: () => void saving.save() });
  const add = (reportId: string) => {
    const key = randomId();
    draft.dispatch({ type: 'change', change: (content) => addWidget(content, key, reportId) });
    setIsAdding(false);
  };

  if (saving.conflict !== undefined) {
    return (
      <ConflictView
        dashboardId={dashboardId}
        baseEtag={draft.base.etag}
        conflict={saving.conflict}
        nameOfReport={nameOfReport}
        isSaving={saving.isSaving}
        onBack={saving.dismiss}
        onSave={(content, etag) => void saving.save({ content, etag })}
      />
    );
  }
  return (
    <Stack gap="md">
      <EditorToolbar
        draft={draft}
        saving={saving}
        people={news.people}
        onAdd={() => setIsAdding(true)}
        onUndo={undo}
        onRedo={redo}
        onSave={() => void saveAndLeave()}
        onLeave={() => void leave()}
      />
      <div>
        <EditorNotices
          draft={draft}
          saving={saving}
          news={news}
          userId={userId}
          onDiscard={onDiscard}
          organizationId={read.dashboard.organizationId}
        />
        <EditorHead content={draft.present} dispatch={draft.dispatch} />
      </div>
      <EditorWidgets
        content={draft.present}
        dispatch={draft.dispatch}
        nameOfReport={nameOfReport}
        results={results}
        organizationId={read.dashboard.organizationId}
        onAdd={() => setIsAdding(true)}
      />
      <AddWidgetDialog
        opened={isAdding}
        organizationId={read.dashboard.organizationId}
        onClose={() => setIsAdding(false)}
        onChoose={add}
      />
    </Stack>
  );
}
