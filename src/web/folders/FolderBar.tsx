import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core';
import { IconFolder, IconFolderPlus, IconListDetails } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { notifyError } from '../ui/notifications/notify.ts';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { FolderList } from './FolderList.tsx';
import type { FolderLink } from './folder-link.ts';
import { LazyFolderDialog } from './LazyFolderDialog.tsx';
import type { OpenDialog } from './open-dialog.ts';
import { foldersIn, foldersTo } from '../ui/folders/tree.ts';
import { allFolders, type FolderView } from './use-folder-view.ts';

/** Above a list: the path of the folder that is open, what can be done here, and the folders in it. */
export function FolderBar({
  orgId,
  view,
  folder,
  linkTo,
  onOpen,
}: {
  readonly orgId: string;
  readonly view: FolderView;
  /** As in the URL. */
  readonly folder: string | undefined;
  readonly linkTo: FolderLink;
  readonly onOpen: (folder: string | undefined) => void;
}): ReactNode {
  const { folders, current, isBrowsing } = view;
  const [dialog, setDialog] = useState<OpenDialog>();
  const role = useOrganization(orgId)?.role;
  const client = useQueryClient();
  const openPersonal = useMutation({
    mutationFn: () => call('PUT /api/organizations/{orgId}/personal-folder', { params: { orgId } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['folders'] });
      onOpen(id);
    },
    onError: notifyError,
  });
  const roleReason = role && reasonAgainst('folder.create', role);
  const folderReason =
    current?.access === 'view' ? t('You can view this folder, but not change what is in it.') : undefined;
  const around = foldersTo(folders, current?.id);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <nav aria-label={t('Folders')}>
          {(isBrowsing || folder === allFolders) && (
            <Breadcrumbs separator="›" style={{ flexWrap: 'wrap' }}>
              {around.length === 0 && isBrowsing ? (
                <Text size="sm" fw={600} aria-current="page">
                  {t('All')}
                </Text>
              ) : (
                <Anchor size="sm" renderRoot={linkTo(undefined)}>
                  {t('All')}
                </Anchor>
              )}
              {folder === allFolders && (
                <Text size="sm" fw={600} aria-current="page">
                  {t('In all folders')}
                </Text>
              )}
              {around.map(({ id, name }) =>
                id === current?.id ? (
                  <Text key={id} size="sm" fw={600} aria-current="page" style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Text>
                ) : (
                  <Anchor key={id} size="sm" renderRoot={linkTo(id)} style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Anchor>
                ),
              )}
            </Breadcrumbs>
          )}
        </nav>
        <Group gap="xs">
          {isBrowsing && folder === undefined && (
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconListDetails size={14} aria-hidden />}
              onClick={() => onOpen(allFolders)}
            >
              {t('Show all in one list')}
            </Button>
          )}
          <ActionButton
            variant="default"
            size="xs"
            reason={roleReason}
            leftSection={<IconFolder size={14} aria-hidden />}
            loading={openPersonal.isPending}
            onClick={() => openPersonal.mutate()}
          >
            {t('My folder')}
          </ActionButton>
          <ActionButton
            variant="default"
            size="xs"
            reason={roleReason ?? folderReason}
            leftSection={<IconFolderPlus size={14} aria-hidden />}
            onClick={() => setDialog({ action: 'create', parent: current })}
          >
            {t('New folder')}
          </ActionButton>
        </Group>
      </Group>
      {isBrowsing && (
        <FolderList folders={foldersIn(folders, current?.id)} linkTo={linkTo} onDialog={setDialog} />
      )}
      <LazyFolderDialog orgId={orgId} dialog={dialog} close={() => setDialog(undefined)} />
    </>
  );
}
