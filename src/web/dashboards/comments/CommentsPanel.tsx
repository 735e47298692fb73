import { Button, CloseButton, Drawer, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { CommentCounts } from '#contract/dashboards/events.ts';
import { t } from '#shared/language/messages.ts';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { useEditReason } from '../../sharing/use-edit-reason.ts';
import { Composer } from './Composer.tsx';
import { threadQuery, threadsQuery } from './queries.ts';
import type { CommentTarget } from './target.ts';
import { Thread } from './Thread.tsx';
import { useCommentCalls } from './use-comment-calls.ts';

/** The comments of a dashboard beside it, and a field to write another. */
export function CommentsPanel({
  dashboardId,
  version,
  counts,
  target,
  linkedId,
  titleOf,
  onClearTarget,
  onShowAll,
  onShow,
  onClose,
}: {
  readonly dashboardId: string;
  readonly version: number | undefined;
  /** What the server said last about the comments. */
  readonly counts: CommentCounts | undefined;
  /** What the new comment is about; undefined for the dashboard. */
  readonly target: CommentTarget | undefined;
  /** The comment of the link that was opened: only its thread is shown. */
  readonly linkedId: string | undefined;
  readonly titleOf: (widgetId: string) => string | undefined;
  readonly onClearTarget: () => void;
  readonly onShowAll: () => void;
  readonly onShow: (widgetId: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [state, setState] = useState<'open' | 'resolved'>('open');
  const client = useQueryClient();
  const { data: signedIn } = useQuery(sessionQuery);
  const list = useInfiniteQuery({ ...threadsQuery(dashboardId, state), enabled: linkedId === undefined });
  const linked = useQuery({
    ...threadQuery(dashboardId, linkedId ?? ''),
    enabled: linkedId !== undefined,
  });
  const { write } = useCommentCalls(dashboardId);
  const mayDelete = useEditReason({ kind: 'dashboard', id: dashboardId }) === undefined;
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['comments', dashboardId] });
  }, [client, dashboardId, counts?.revision]);
  const shown = linkedId === undefined ? list : linked;
  const threads =
    linkedId === undefined
      ? list.data?.pages.flatMap(({ items }) => items)
      : linked.data === undefined
        ? undefined
        : linked.data === null
          ? []
          : [linked.data];
  return (
    <Drawer opened onClose={onClose} position="right" size="md" title={t('Comments')}>
      <Stack>
        {linkedId === undefined ? (
          <>
            {target !== undefined && (
              <Group gap="xs" wrap="nowrap">
                <Text size="sm" flex={1} lineClamp={2}>
                  {target.mark === undefined
                    ? t('About {title}', { title: target.title })
                    : t('About {title}: {value}', { title: target.title, value: target.mark.text })}
                </Text>
                <CloseButton
                  size="sm"
                  aria-label={t('Comment on the whole dashboard')}
                  onClick={onClearTarget}
                />
              </Group>
            )}
            <Composer
              // Another target doesn't discard what is typed, but a stored comment does.
              dashboardId={dashboardId}
              label={t('Write a comment')}
              action={t('Comment')}
              isPending={write.isPending}
              error={write.error}
              onSubmit={(draft, clear) =>
                write.mutate(
                  {
                    ...draft,
                    ...(target !== undefined && { widgetId: target.widgetId }),
                    ...(target?.mark !== undefined && { mark: target.mark }),
                  },
                  {
                    onSuccess: () => {
                      clear();
                      onClearTarget();
                      setState('open');
                    },
                  },
                )
              }
            />
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={t('Which comments are shown')}
              value={state}
              onChange={(value) => setState(value === 'resolved' ? 'resolved' : 'open')}
              data={[
                { value: 'open', label: t('Unresolved') },
                { value: 'resolved', label: t('Resolved') },
              ]}
            />
          </>
        ) : (
          <Button variant="default" size="xs" onClick={onShowAll}>
            {t('Show all comments')}
          </Button>
        )}
        {threads === undefined &&
          (shown.error === null ? (
            <Waiting height={200} />
          ) : (
            <Failure error={shown.error} retry={() => void shown.refetch()} />
          ))}
        {threads?.length === 0 && (
          <Text size="sm" c="dimmed" ta="center">
            {linkedId !== undefined
              ? t('This comment was deleted.')
              : state === 'open'
                ? t('No open comments.')
                : t('No resolved comments.')}
          </Text>
        )}
        {threads !== undefined && threads.length > 0 && (
          <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('Comments')}>
            {threads.map((thread) => (
              <Thread
                key={thread.id}
                dashboardId={dashboardId}
                thread={thread}
                version={version}
                userId={signedIn?.user.id}
                mayDelete={mayDelete}
                titleOf={titleOf}
                onShow={onShow}
              />
            ))}
          </Stack>
        )}
        {linkedId === undefined && <MoreButton list={list}>{t('Show older comments')}</MoreButton>}
      </Stack>
    </Drawer>
  );
}
