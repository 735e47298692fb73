import { IconFolderSymlink, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { noFolder } from '../ui/folders/tree.ts';
import { SelectionBar } from '../ui/selection/SelectionBar.tsx';
import type { Selection } from '../ui/selection/use-selection.ts';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { LazyFolderDialog } from './LazyFolderDialog.tsx';
import type { OpenDialog } from './open-dialog.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly folderId?: string | undefined;
}

/** What can be done with the dashboards or the reports that are selected in a list. */
export function BulkBar<Item extends Listed>({
  orgId,
  kind,
  selection,
}: {
  readonly orgId: string;
  readonly kind: 'dashboard' | 'report';
  readonly selection: Selection<Item>;
}): ReactNode {
  const [dialog, setDialog] = useState<OpenDialog>();
  const role = useOrganization(orgId)?.role;
  const reason = role && reasonAgainst(`${kind}.create`, role);
  const items = selection.items.map(({ id, name }) => ({ kind, id, name }));
  const places = new Set(selection.items.map(({ folderId = noFolder }) => folderId));
  const from = places.size === 1 ? [...places][0] : undefined;
  return (
    <>
      <SelectionBar selection={selection}>
        <ActionButton
          variant="default"
          size="xs"
          reason={reason}
          leftSection={<IconFolderSymlink size={14} aria-hidden />}
          onClick={() => setDialog({ action: 'move items', items, from, onDone: selection.clear })}
        >
          {t('Move…')}
        </ActionButton>
        <ActionButton
          variant="default"
          size="xs"
          reason={reason}
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => setDialog({ action: 'delete items', items, onDone: selection.clear })}
        >
          {t('Delete')}
        </ActionButton>
      </SelectionBar>
      <LazyFolderDialog orgId={orgId} dialog={dialog} close={() => setDialog(undefined)} />
    </>
  );
}
