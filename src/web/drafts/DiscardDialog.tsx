import type { ReactNode } from 'react';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';

/** Asks for confirmation before a draft is discarded. */
export const DiscardDialog = ({
  opened,
  onClose,
  onDiscard,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}): ReactNode => (
  <ConfirmDialog
    title="Discard your draft?"
    sentences={["This deletes your unsaved changes. You can't undo this."]}
    action="Discard"
    cancelLabel="Keep draft"
    opened={opened}
    onClose={onClose}
    onConfirm={() => {
      onClose();
      onDiscard();
    }}
  />
);
