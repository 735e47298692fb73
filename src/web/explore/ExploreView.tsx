import { Group, Text } from '@mantine/core';
import { IconArrowBackUp, IconDeviceFloppy, IconLayoutDashboard, IconTool, IconX } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { ExploreTarget } from '#contract/explore.ts';
import type { ReportInput } from '#contract/reports/reports.ts';
import type { Axis, Selection } from '#shared/explore/axes.ts';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { Page } from '../ui/page/Page.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { ChartCard } from './charts/ChartCard.tsx';
import classes from './charts/Charts.module.css';
import { ChartMenu } from './ChartMenu.tsx';
import { ColumnChooser } from './ColumnChooser.tsx';
import { SaveDialog } from './save/SaveDialog.tsx';
import { readColumns, readSelections, toJson, type ExploreSearch } from './search.ts';
import { SelectedCount } from './SelectedCount.tsx';
import { SelectedRows } from './SelectedRows.tsx';
import { useExplorer } from './use-explorer.ts';

/** What a report is made of: the selected rows, or how many of them each bar of a chart has. */
export interface SavedPart {
  readonly selections: readonly Selection[];
  readonly columns: readonly Column[];
  readonly chart?: Axis | undefined;
}

interface Saving {
  readonly next: 'open' | 'add';
  readonly column?: string;
}

/** The charts of all columns, and the rows that are selected in them. */
export function ExploreView({
  title,
  description,
  target,
  timeZone,
  search,
  changeSearch,
  titleOf,
  saveReason,
  openBuilder,
  toReport,
}: {
  readonly title: string;
  readonly description: ReactNode;
  readonly target: ExploreTarget;
  readonly timeZone: string;
  readonly search: ExploreSearch;
  readonly changeSearch: (change: { [Name in keyof ExploreSearch]: string | undefined }) => void;
  /** Returns the display name of a column. */
  readonly titleOf: (column: string) => string;
  /** Why the person can't save reports. */
  readonly saveReason: string | undefined;
  /** Opens the query builder. Undefined if reports are written in SQL. */
  readonly openBuilder?: (part: SavedPart) => void;
  readonly toReport: (part: SavedPart) => Omit<ReportInput, 'name'>;
}): ReactNode {
  const [saving, setSaving] = useState<Saving>();
  const selections = useMemo(() => readSelections(search.select), [search.select]);
  const wanted = useMemo(() => readColumns(search.columns), [search.columns]);
  const { explorer, state, shown } = useExplorer({
    target,
    timeZone,
    columns: wanted,
    selections,
    onCommit: (committed) => changeSearch({ select: toJson(committed) }),
  });
  const { rowCount, columns, profiles, error } = state;
  const hasSelection = state.selections.length > 0;
  const nothingSelected = hasSelection ? undefined : t('Nothing is selected.');
  const pending = rowCount === undefined ? t('The columns are being read.') : saveReason;
  const save = (next: Saving['next'], column?: string): void =>
    setSaving({ next, ...(column !== undefined && { column }) });
  const failed = error !== undefined && error !== null;
  const placeholders = failed ? [] : Array.from({ length: 12 }, (_, index) => ` ${index}`);
  const names = shown.length > 0 || columns !== undefined ? shown : placeholders;
  return (
    <Page
      title={title}
      description={description}
      actions={
        <>
          <ActionButton
            reason={pending}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
            onClick={() => save('open')}
          >
            {t('Save as report')}
          </ActionButton>
          <ActionButton
            variant="default"
            reason={pending}
            leftSection={<IconLayoutDashboard size={16} aria-hidden />}
            onClick={() => save('add')}
          >
            {t('Add to a dashboard')}
          </ActionButton>
          {openBuilder && (
            <ActionButton
              variant="default"
              reason={pending}
              leftSection={<IconTool size={16} aria-hidden />}
              onClick={() => openBuilder({ selections: state.selections, columns: columns ?? [] })}
            >
              {t('Open in the builder')}
            </ActionButton>
          )}
        </>
      }
    >
      {failed && <Failure error={error} />}
      <Group justify="space-between" gap="sm">
        <SelectedCount explorer={explorer} rowCount={rowCount} />
        <Group gap="xs">
          <ActionButton
            size="xs"
            variant="default"
            reason={state.canUndo ? undefined : t('There is nothing to undo.')}
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            onClick={explorer.undo}
          >
            {t('Undo')}
          </ActionButton>
          <ActionButton
            size="xs"
            variant="default"
            reason={nothingSelected}
            leftSection={<IconX size={14} aria-hidden />}
            onClick={explorer.clear}
          >
            {t('Clear')}
          </ActionButton>
          <ColumnChooser
            columns={columns ?? []}
            shown={shown}
            titleOf={titleOf}
            onChange={(chosen) => changeSearch({ columns: toJson(chosen) })}
          />
        </Group>
      </Group>
      <div className={classes['grid']}>
        {names.map((column) => (
          <ChartCard
            key={column}
            column={column}
            title={column.startsWith(' ') ? t('Loading') : titleOf(column)}
            profile={profiles.get(column)}
            rowCount={rowCount ?? 0}
            explorer={explorer}
            menu={
              <ChartMenu
                title={titleOf(column)}
                saveReason={profiles.get(column)?.axis === undefined ? t('There is no chart.') : saveReason}
                onSave={() => save('open', column)}
                onHide={() => changeSearch({ columns: toJson(shown.filter((name) => name !== column)) })}
              />
            }
          />
        ))}
      </div>
      {columns?.length === 0 && <Text size="sm">{t('There are no columns that can be explored.')}</Text>}
      <Text size="xs" c="dimmed">
        {t(
          'Gray bars are all rows, blue bars the selected ones, each scaled to its highest bar. Drag in a chart to select a range, or focus an end of it and press the arrow keys: Page Up and Page Down move it by a bar, Shift and an arrow key the whole range, Escape removes it.',
        )}
      </Text>
      <SelectedRows target={target} timeZone={timeZone} selections={state.selections} />
      {saving !== undefined && (
        <SaveDialog
          title={titles[saving.next]}
          suggestedName={
            saving.column === undefined
              ? title
              : t('{title} by {title2}', { title, title2: titleOf(saving.column) })
          }
          exploredReportId={target.reportId}
          contentOf={() =>
            toReport({
              selections: state.selections,
              columns: columns ?? [],
              ...(saving.column !== undefined && { chart: profiles.get(saving.column)?.axis }),
            })
          }
          next={saving.next}
          close={() => setSaving(undefined)}
        />
      )}
    </Page>
  );
}

const titles: Readonly<Record<Saving['next'], string>> = {
  open: t('Save as report'),
  add: t('Save and add to a dashboard'),
};
