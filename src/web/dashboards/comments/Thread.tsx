import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { CommentThread } from '#contract/dashboards/comments.ts';
import { t } from '#shared/language/messages.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import classes from './Comments.module.css';
import { CommentView } from './CommentView.tsx';
import { Composer } from './Composer.tsx';
import { useCommentCalls } from './use-comment-calls.ts';

/** A comment with its replies, and what it is about. */
export function Thread({
  dashboardId,
  thread,
  version,
  userId,
  mayDelete,
  titleOf,
  onShow,
}: {
  readonly dashboardId: string;
  readonly thread: CommentThread;
  /** The version that is shown. */
  readonly version: number | undefined;
  readonly userId: string | undefined;
  /** Whether you may delete the comments of others. */
  readonly mayDelete: boolean;
  /** Returns the title of a widget; undefined if it was removed. */
  readonly titleOf: (widgetId: string) => string | undefined;
  /** Shows a widget. */
  readonly onShow: (widgetId: string) => void;
}): ReactNode {
  const { id, widgetId, mark, resolvedAt, resolvedByName, comments } = thread;
  const [isReplying, setIsReplying] = useState(false);
  const { write, change } = useCommentCalls(dashboardId);
  const [first, ...replies] = comments;
  if (first === undefined) return null;
  const title = widgetId === undefined ? undefined : titleOf(widgetId);
  const view = { dashboardId, mayDelete };
  return (
    <Stack gap="xs" component="li" className={classes['thread']} data-thread={id}>
      {widgetId !== undefined && (
        <Text size="xs" c="dimmed" className={classes['text']}>
          {title === undefined ? (
            t('On a widget that was removed')
          ) : (
            <Anchor component="button" type="button" size="xs" onClick={() => onShow(widgetId)}>
              {title}
            </Anchor>
          )}
          {mark !== undefined && ` · ${mark.text}`}
        </Text>
      )}
      {version !== undefined && thread.version !== version && (
        <Text size="xs" c="dimmed">
          {t('Written about version {version}', { version: thread.version })}
        </Text>
      )}
      <CommentView {...view} comment={first} isOwn={first.userId === userId} />
      {replies.length > 0 && (
        <Stack gap="sm" className={classes['replies']}>
          {replies.map((comment) => (
            <CommentView key={comment.id} {...view} comment={comment} isOwn={comment.userId === userId} />
          ))}
        </Stack>
      )}
      {resolvedAt !== undefined && (
        <Text size="xs" c="dimmed">
          {t('Resolved by {name}', { name: resolvedByName ?? '' })}
        </Text>
      )}
      {isReplying ? (
        <Composer
          dashboardId={dashboardId}
          label={t('Write a reply')}
          action={t('Reply')}
          isPending={write.isPending}
          error={write.error}
          onSubmit={(draft) =>
            write.mutate({ ...draft, threadId: id }, { onSuccess: () => setIsReplying(false) })
          }
          onCancel={() => setIsReplying(false)}
        />
      ) : (
        <Group gap="xs">
          <Button size="compact-xs" variant="subtle" onClick={() => setIsReplying(true)}>
            {t('Reply')}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={change.isPending}
            onClick={() =>
              change.mutate(
                {
                  commentId: first.deletedAt === undefined ? id : (replies[0]?.id ?? id),
                  resolved: resolvedAt === undefined,
                },
                { onError: notifyError },
              )
            }
          >
            {resolvedAt === undefined ? t('Resolve') : t('Reopen')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
