import { lazy, Suspense, type ReactNode } from 'react';
import { loadChunk } from '../ui/connection/chunks.ts';
import type { OpenDialog } from './open-dialog.ts';

/** Loaded when it opens. */
const FolderDialog = lazy(async () => ({
  default: (await loadChunk('FolderDialog', () => import('./dialogs/FolderDialog.tsx'))).FolderDialog,
}));

/** The dialog that is open, if one is. */
export const LazyFolderDialog = ({
  orgId,
  dialog,
  close,
}: {
  readonly orgId: string;
  readonly dialog: OpenDialog | undefined;
  readonly close: () => void;
}): ReactNode =>
  dialog !== undefined && (
    <Suspense>
      <FolderDialog orgId={orgId} dialog={dialog} close={close} />
    </Suspense>
  );
