import { ActionIcon, Indicator, Tooltip } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { CommentCounts } from '#contract/dashboards/events.ts';
import type { Structure } from '#shared/sections/structure.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { anchorOf } from '../view/sections/linked-section.ts';
import type { CommentTarget } from './target.ts';
import { placeOfWidget } from './widget-place.ts';

/** Loaded when the comments are opened. */
const CommentsPanel = lazy(async () => ({
  default: (await loadChunk('CommentsPanel', () => import('./CommentsPanel.tsx'))).CommentsPanel,
}));

/** What is open of the comments: nothing, or the panel, to write about something. */
export interface OpenedComments {
  readonly target?: CommentTarget;
}

/** The button that opens the comments of a dashboard, with the number of open threads, and the panel. */
export function Comments({
  dashboardId,
  version,
  counts,
  opened,
  structure,
  titleOf,
  onChange,
}: {
  readonly dashboardId: string;
  readonly version: number | undefined;
  readonly counts: CommentCounts | undefined;
  readonly opened: OpenedComments | undefined;
  readonly structure: Structure<Widget>;
  /** Returns the title of a widget; undefined if it isn't on the dashboard. */
  readonly titleOf: (widgetId: string) => string | undefined;
  readonly onChange: (opened: OpenedComments | undefined) => void;
}): ReactNode {
  const { 'comment-id': linkedId } = useSearch({ from: paths.dashboard });
  const navigate = useNavigate({ from: paths.dashboard });
  const leaveLink = () => {
    if (linkedId === undefined) return;
    void navigate({ search: ({ 'comment-id': _, ...search }) => search, replace: true, resetScroll: false });
  };
  const close = () => {
    onChange(undefined);
    leaveLink();
  };
  const show = (widgetId: string) => {
    const { tab, section } = placeOfWidget(structure, widgetId);
    onChange(undefined);
    const shown = navigate({
      search: ({ 'comment-id': _, ...search }) => ({
        ...search,
        ...(tab !== undefined && { 'open-tab': tab }),
      }),
      hash: section === undefined ? '' : anchorOf(section),
      resetScroll: false,
    });
    void shown.then(() =>
      document.querySelector(`[data-widget="${CSS.escape(widgetId)}"]`)?.scrollIntoView({ block: 'center' }),
    );
  };
  const count = counts?.openCount ?? 0;
  const label = t('{count, plural, =0 {Comments} one {Comments, # open} other {Comments, # open}}', {
    count,
  });
  return (
    <>
      <Tooltip label={label}>
        <Indicator label={count} size={16} offset={4} disabled={count === 0} aria-hidden={false}>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} onClick={() => onChange({})}>
            <IconMessage size={18} />
          </ActionIcon>
        </Indicator>
      </Tooltip>
      {(opened !== undefined || linkedId !== undefined) && (
        <Suspense>
          <CommentsPanel
            dashboardId={dashboardId}
            version={version}
            counts={counts}
            target={opened?.target}
            linkedId={linkedId}
            titleOf={titleOf}
            onClearTarget={() => onChange({})}
            onShowAll={() => {
              onChange({});
              leaveLink();
            }}
            onShow={show}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
