import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { useFolders } from '../ui/folders/queries.ts';
import { noFolder, targetsOf } from '../ui/folders/tree.ts';

/** Chooses the folder in which accepting a proposal creates something; nothing if there is no folder that you can edit. */
export function FolderChoice({
  orgId,
  folderId = noFolder,
  choose,
}: {
  readonly orgId: string;
  readonly folderId: string | undefined;
  readonly choose: (folderId: string | undefined) => void;
}): ReactNode {
  const { data: folders = [] } = useFolders(orgId);
  const targets = targetsOf(folders).map(({ id, path }) => ({ value: id, label: path }));
  if (targets.length === 0) return null;
  return (
    <Select
      label={t('Create in')}
      description={t('Folders that you can edit. People who may see a folder may see what is in it.')}
      data={[{ value: noFolder, label: t('No folder') }, ...targets]}
      value={folderId}
      onChange={(chosen) => choose(chosen === null || chosen === noFolder ? undefined : chosen)}
      maw={420}
      limit={100}
      openOnFocus={false}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('No folder that you can edit has this name')}
    />
  );
}
