import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
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
    title={t('Discard your draft?')}
    sentences={[t("This deletes your unsaved changes. You can't undo this.")]}
    action={t('Discard')}
    cancelLabel={t('Keep draft')}
    opened={opened}
    onClose={onClose}
    onConfirm={() => {
      onClose();
      onDiscard();
    }}
  />
);
