import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ReportPicker } from './ReportPicker.tsx';

/** Asks for the report of a new widget. */
export const AddWidgetDialog = ({
  opened,
  organizationId,
  onClose,
  onChoose,
}: {
  readonly opened: boolean;
  readonly organizationId: string | undefined;
  readonly onClose: () => void;
  readonly onChoose: (reportId: string) => void;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title="Add a widget">
    <ReportPicker organizationId={organizationId} onChoose={onChoose} />
  </Modal>
);
