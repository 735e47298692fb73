import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';

/** Asks whether a draft shall go for good. */
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
    sentences={['What you changed and did not save goes for good. The dashboard stays as it was saved last.']}
    action="Discard"
    wayBack="Keep it"
    opened={opened}
    onClose={onClose}
    onConfirm={onDiscard}
  />
);
