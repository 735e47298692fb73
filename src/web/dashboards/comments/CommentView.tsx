import { ActionIcon, Avatar, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Comment } from '#contract/dashboards/comments.ts';
import { t } from '#shared/language/messages.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { CommentText } from './CommentText.tsx';
import { Composer } from './Composer.tsx';
import { useCommentCalls } from './use-comment-calls.ts';

/** A comment with its author, and what you can do with it. */
export function CommentView({
  dashboardId,
  comment,
  isOwn,
  mayDelete,
}: {
  readonly dashboardId: string;
  readonly comment: Comment;
  readonly isOwn: boolean;
  readonly mayDelete: boolean;
}): ReactNode {
  const { id, userName, createdAt, editedAt, deletedAt } = comment;
  const [isEditing, setIsEditing] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const { change, remove } = useCommentCalls(dashboardId);
  if (deletedAt !== undefined)
    return (
      <Text size="sm" c="dimmed" fs="italic">
        {t('This comment was deleted.')}
      </Text>
    );
  return (
    <Stack gap={4} component="article" aria-label={t('Comment by {name}', { name: userName })}>
      <Group gap="xs" wrap="nowrap">
        <Avatar size={24} radius="xl" variant="filled" color="gray.7" name={userName} aria-hidden />
        <Text size="sm" fw={600} truncate>
          {userName}
        </Text>
        <Text size="xs" c="dimmed" flex={1}>
          <TimeAgo at={createdAt} />
          {editedAt !== undefined && ` · ${t('edited')}`}
        </Text>
        {(isOwn || mayDelete) && !isEditing && (
          <Menu position="bottom-end" width={180}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={t('Actions for the comment by {name}', { name: userName })}
              >
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {isOwn && (
                <MenuAction icon={<IconPencil size={16} />} onClick={() => setIsEditing(true)}>
                  {t('Edit')}
                </MenuAction>
              )}
              <MenuAction icon={<IconTrash size={16} />} color="red" onClick={() => setIsDeleting(true)}>
                {t('Delete')}
              </MenuAction>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {isEditing ? (
        <Composer
          dashboardId={dashboardId}
          label={t('Edit comment')}
          action={t('Save')}
          before={comment}
          isPending={change.isPending}
          error={change.error}
          onSubmit={(draft) =>
            change.mutate({ commentId: id, ...draft }, { onSuccess: () => setIsEditing(false) })
          }
          onCancel={() => setIsEditing(false)}
        />
      ) : (
        <CommentText comment={comment} />
      )}
      <ConfirmDialog
        title={t('Delete this comment?')}
        sentences={[t('It can’t be restored.')]}
        action={t('Delete')}
        opened={isDeleting}
        onClose={() => setIsDeleting(false)}
        onConfirm={() => remove.mutate(id, { onSuccess: () => setIsDeleting(false) })}
        isPending={remove.isPending}
        error={remove.error}
      />
    </Stack>
  );
}
