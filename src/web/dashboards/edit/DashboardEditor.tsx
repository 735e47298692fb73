import { Button, Group, Stack } from '@mantine/core';
import { IconFilterCog } from '@tabler/icons-react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { paths } from '../../app/paths.ts';
import { randomId } from '../../../client/random-id.ts';
import { AddWidgetDialog } from './widget/AddWidgetDialog.tsx';
import { ConflictView } from '../../drafts/conflict/ConflictView.tsx';
import { addWidget, contentOf, setContent, tidyUp } from './draft/content.ts';
import { applyChoices, itemsOf } from './conflict/choices.ts';
import { dashboardDrafts } from './draft/kind.ts';
import { FilterBar } from '../filters/FilterBar.tsx';
import { filtersOfLines, type DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { filtersOfWidgets, isBuiltIn, labelOf } from '#shared/dashboard-filters/definitions.ts';
import { isRange } from '#shared/dashboard-filters/bindings.ts';
import { structureOf, topLevel } from '#shared/sections/structure.ts';
import type { RepeatingFilter } from './sections/ContainerForm.tsx';
import type { SectionQuestion } from './sections/questions.ts';
import { SectionDialogs } from './sections/SectionDialogs.tsx';
import { useCalendar } from '../filters/use-calendar.ts';
import { inReadingOrder } from '#shared/grid/visible-layouts.ts';
import type { Search } from '../../ui/browser/search.ts';
import { EditorHead } from './EditorHead.tsx';
import { EditorNotices } from './EditorNotices.tsx';
import { EditorToolbar } from './EditorToolbar.tsx';
import { EditorWidgets } from './grid/EditorWidgets.tsx';
import { useDashboardEvents } from '../live/use-dashboard-events.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { useEditKeys } from '../../drafts/use-edit-keys.ts';
import { useEditorResults } from './use-editor-results.ts';
import { useUnsavedNotice } from '../../drafts/use-unsaved-notice.ts';
import { usePresence } from '../live/use-presence.ts';
import { AnnotationsButton } from './annotations/AnnotationsButton.tsx';
import { FiltersDrawer } from './filters/FiltersDrawer.tsx';
import { titleOf } from '#charts/widgets/title.ts';
import { useReportNames } from '../results/use-report-names.ts';
import { reportQuery } from '../../reports/queries.ts';
import { kindOf } from '#charts/kinds.ts';
import { SharedTimeContext } from '../../visualizations/time/shared-time.ts';
import { useSharedTime } from '../annotations/use-shared-time.ts';
import { SharedValueColors, valueColorsOf } from '../../visualizations/echarts/shared-colors.ts';
import { contentSizes, contentWidgetId, type ContentKind } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import { ImageOrganization } from '../content/image-organization.ts';
import { EditorReferences, referencesOf } from './content/editor-references.ts';
import { ContentDialog } from './content/LazyContentDialog.tsx';
import { useSaving } from './draft/use-saving.ts';

/** A widget without a report that is being added, and the key of its tab or section. */
interface NewContent {
  readonly kind: ContentKind;
  readonly parent: string;
}

/** The editor of a dashboard: its draft, its widgets, and the toolbar that saves it. */
export function DashboardEditor({
  saved: { dashboard, etag },
  userId,
  onDiscard,
}: {
  readonly saved: { readonly dashboard: Dashboard; readonly etag: string };
  readonly userId: string;
  readonly onDiscard: () => void;
}): ReactNode {
  const { id: dashboardId, organizationId } = dashboard;
  const place = { userId, recordId: dashboardId };
  const draft = useDraft(dashboardDrafts, place, { etag, content: contentOf(dashboard) });
  const live = useDashboardEvents(dashboardId);
  const lastSaver = live.savedBy?.userId === userId ? undefined : live.savedBy?.userName;
  const saving = useSaving(dashboardId, draft, lastSaver ?? 'others');
  const nameOfReport = useReportNames(organizationId);
  const sharedTime = useSharedTime(draft.present.widgets);
  // Only tries the filters out: readers' values are in the URL.
  const [filterValues, setFilterValues] = useState<Search>({});
  const [isFiltering, setIsFiltering] = useState(false);
  const { 'open-tab': wantedTab } = useSearch({ from: paths.dashboardEdit });
  const { tabs } = useMemo(() => structureOf(draft.present.widgets), [draft.present.widgets]);
  const openTab = (tabs.find(({ key }) => key === wantedTab) ?? tabs[0])?.key ?? topLevel;
  const results = useEditorResults({
    dashboardId,
    base: draft.base,
    present: draft.present,
    filters: filterValues,
    // The dialog of filters says which widgets each of them applies to.
    openTab: isFiltering ? undefined : openTab,
  });
  const { filters: definitions, appliesTogether } = filtersOfWidgets(draft.present.widgets);
  const lines = inReadingOrder(draft.present.widgets).flatMap((widget) => {
    const line = results.lineOf(widget);
    return line === undefined ? [] : [{ ...line, widgetIds: [widget.key], config: widget.config }];
  });
  const filters = filtersOfLines(lines, definitions);
  const calendar = useCalendar(organizationId);
  const navigate = useNavigate();
  const client = useQueryClient();
  // The key of the tab or section to add a widget to.
  const [addingTo, setAddingTo] = useState<string>();
  const [question, setQuestion] = useState<SectionQuestion>();
  const [newContent, setNewContent] = useState<NewContent>();
  const [added, setAdded] = useState<string>();
  usePresence(dashboardId);
  useUnsavedNotice(dashboardDrafts, place);

  const params = { dashboardId };
  const search = openTab === topLevel ? {} : { 'open-tab': openTab };
  const leave = () => navigate({ to: paths.dashboard, params, search });
  const setWantedTab = (key: string) =>
    void navigate({
      to: paths.dashboardEdit,
      params,
      search: key === '' ? {} : { 'open-tab': key },
      replace: true,
      resetScroll: false,
    });
  const undo = () => draft.dispatch({ type: 'undo' });
  const redo = () => draft.dispatch({ type: 'redo' });
  useEditKeys({ isEnabled: saving.conflict === undefined, undo, redo, save: () => void saving.save() });
  const startAdding = (parent: string) => {
    setAdded(undefined);
    setAddingTo(parent);
  };
  const ask = (asked: SectionQuestion) => {
    setAdded(undefined);
    setQuestion(asked);
  };
  const add = async (reportId: string) => {
    const key = randomId();
    // The report may be newer than the list of names.
    void client.invalidateQueries({ queryKey: ['reports', 'names'] });
    const size = await sizeOf(reportId, client);
    draft.dispatch({
      type: 'change',
      change: (content) => addWidget(content, key, reportId, size, addingTo),
    });
    setAdded(key);
    setAddingTo(undefined);
  };

  const addContent = ({ kind, parent }: NewContent, config: Readonly<Record<string, unknown>>) => {
    const key = randomId();
    draft.dispatch({
      type: 'change',
      change: (content) =>
        setContent(addWidget(content, key, contentWidgetId(kind), contentSizes[kind], parent), key, config),
    });
    setAdded(key);
    setNewContent(undefined);
  };

  const { conflict } = saving;
  if (conflict !== undefined) {
    return (
      <ConflictView
        record={{ kind: 'dashboard', id: dashboardId }}
        baseEtag={draft.base.etag}
        items={itemsOf(conflict, nameOfReport)}
        isSaving={saving.isSaving}
        onBack={saving.dismiss}
        onSave={(choices) =>
          void saving.save({ content: applyChoices(conflict, choices), etag: conflict.etag })
        }
      />
    );
  }
  return (
    <Stack gap="md">
      <EditorToolbar
        draft={draft}
        saving={saving}
        people={live.people}
        openTab={openTab}
        onAdd={() => startAdding(openTab)}
        onAsk={ask}
        onTidyUp={() => draft.dispatch({ type: 'change', change: tidyUp })}
        onUndo={undo}
        onRedo={redo}
        onSave={() => void saving.save()}
        onLeave={() => void leave()}
      />
      <div>
        <EditorNotices
          draft={draft}
          saving={saving}
          live={live}
          userId={userId}
          onDiscard={onDiscard}
          organizationId={organizationId}
        />
        <EditorHead content={draft.present} dispatch={draft.dispatch} />
      </div>
      <Group gap="md">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFilterCog size={14} />}
          onClick={() => setIsFiltering(true)}
        >
          {t('Edit filters')}
        </Button>
        <AnnotationsButton content={draft.present} dispatch={draft.dispatch} />
        <FilterBar
          filters={filters}
          values={filterValues}
          calendar={calendar}
          appliesTogether={appliesTogether}
          onChange={(changed) => setFilterValues((before) => ({ ...before, ...changed }))}
        />
      </Group>
      <SharedValueColors value={valueColorsOf(dashboardId)}>
        <SharedTimeContext value={sharedTime}>
          <ImageOrganization value={organizationId}>
            <EditorReferences value={referencesOf(draft.present, results, filters, filterValues)}>
              <EditorWidgets
                content={draft.present}
                dispatch={draft.dispatch}
                nameOfReport={nameOfReport}
                results={results}
                organizationId={organizationId}
                added={added}
                openTab={openTab}
                onAdd={startAdding}
                onAsk={ask}
                onOpenTab={setWantedTab}
              />
              {newContent !== undefined && (
                <Suspense>
                  <ContentDialog
                    kind={newContent.kind}
                    config={undefined}
                    onClose={() => setNewContent(undefined)}
                    onSubmit={(config) => addContent(newContent, config)}
                  />
                </Suspense>
              )}
            </EditorReferences>
          </ImageOrganization>
        </SharedTimeContext>
      </SharedValueColors>
      <FiltersDrawer
        opened={isFiltering}
        content={draft.present}
        dispatch={draft.dispatch}
        widgets={inReadingOrder(draft.present.widgets)
          .filter(({ reportId }) => !isBuiltIn(reportId))
          .map((widget) => {
            const line = results.lineOf(widget);
            const title = titleOf({ widget, line }) ?? nameOfReport(widget.reportId);
            return { key: widget.key, title, config: widget.config, line };
          })}
        calendar={calendar}
        onClose={() => setIsFiltering(false)}
      />
      <AddWidgetDialog
        opened={addingTo !== undefined}
        hasAdded={added !== undefined}
        organizationId={organizationId}
        onClose={() => setAddingTo(undefined)}
        onChoose={(reportId) => void add(reportId)}
        onChooseKind={(kind) => {
          const chosen = { kind, parent: addingTo ?? topLevel };
          if (kind === 'divider') addContent(chosen, {});
          else setNewContent(chosen);
          setAddingTo(undefined);
        }}
      />
      <SectionDialogs
        question={question}
        content={draft.present}
        filters={repeatingFilters(filters)}
        dispatch={draft.dispatch}
        onClose={() => setQuestion(undefined)}
        hasFocusElsewhere={added !== undefined}
        onMoved={setAdded}
        onOpenTab={setWantedTab}
      />
    </Stack>
  );
}

/** Returns the filters that a section can be repeated by: those with values, which ranges and dates don't have. */
const repeatingFilters = (filters: readonly DashboardFilter[]): RepeatingFilter[] =>
  filters
    .filter(({ type, definition }) => type !== 'date' && type !== 'datetime' && !isRangeFilter(definition))
    .map((filter) => ({ name: filter.name, label: labelOf(filter) }));

const isRangeFilter = (definition: DashboardFilter['definition']): boolean =>
  definition !== undefined && isRange(definition.kind);

/** Returns the size of a new widget of a report, which suits its chart; undefined if the report can't be read. */
async function sizeOf(
  reportId: string,
  client: QueryClient,
): Promise<{ readonly w: number; readonly h: number } | undefined> {
  try {
    const { report } = await client.query(reportQuery(reportId));
    return kindOf(report.visualization.kind).size;
  } catch {
    // The widget itself reports it.
    return undefined;
  }
}
