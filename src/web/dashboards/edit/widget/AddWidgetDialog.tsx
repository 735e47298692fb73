import { Button, Group, Modal } from '@mantine/core';
import { IconAlignLeft, IconHeading, IconLink, IconPhoto, IconMinus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { contentKindNames, contentKinds, type ContentKind } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import { ReportPicker } from './ReportPicker.tsx';

const icons = {
  text: IconAlignLeft,
  heading: IconHeading,
  image: IconPhoto,
  links: IconLink,
  divider: IconMinus,
} as const;

/** Asks for the report of a new widget, or for a kind without one. */
export const AddWidgetDialog = ({
  opened,
  hasAdded,
  organizationId,
  onClose,
  onChoose,
  onChooseKind,
}: {
  readonly opened: boolean;
  /** Whether a widget was added, which gets the focus instead of the button that opened the dialog. */
  readonly hasAdded: boolean;
  readonly organizationId: string | undefined;
  readonly onClose: () => void;
  readonly onChoose: (reportId: string) => void;
  readonly onChooseKind: (kind: ContentKind) => void;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title={t('Add a widget')} returnFocus={!hasAdded}>
    <Group gap="xs" mb="md" role="group" aria-label={t('Widgets without a report')}>
      {contentKinds.map((kind) => {
        const Icon = icons[kind];
        return (
          <Button
            key={kind}
            size="xs"
            variant="default"
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => onChooseKind(kind)}
          >
            {contentKindNames[kind]}
          </Button>
        );
      })}
    </Group>
    <ReportPicker organizationId={organizationId} onChoose={onChoose} />
  </Modal>
);
