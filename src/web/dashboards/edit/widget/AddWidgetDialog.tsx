import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ReportPicker } from './ReportPicker.tsx';

/** Asks for the report of a new widget. */
export const AddWidgetDialog = ({
  opened,
  hasAdded,
  organizationId,
  onClose,
  onChoose,
}: {
  readonly opened: boolean;
  /** Whether a widget was added, which gets the focus instead of the button that opened the dialog. */
  readonly hasAdded: boolean;
  readonly organizationId: string | undefined;
  readonly onClose: () => void;
  readonly onChoose: (reportId: string) => void;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title="Add a widget" returnFocus={!hasAdded}>
    <ReportPicker organizationId={organizationId} onChoose={onChoose} />
  </Modal>
);
