import { ActionIcon, Menu } from '@mantine/core';
import { IconChevronDown, IconFolder, IconLayoutList } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { SectionQuestion } from './questions.ts';

/** The menu that adds a tab, or a section to the open tab. */
export const AddSectionMenu = ({
  openTab,
  onAsk,
}: {
  /** The key of the open tab; empty if the dashboard has no tabs. */
  readonly openTab: string;
  readonly onAsk: (question: SectionQuestion) => void;
}): ReactNode => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <ActionIcon variant="default" size={36} aria-label={t('Add tab or section')}>
        <IconChevronDown size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconFolder size={16} />} onClick={() => onAsk({ kind: 'add-tab' })}>
        {t('Add tab…')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLayoutList size={16} />}
        onClick={() => onAsk({ kind: 'add-section', parent: openTab })}
      >
        {t('Add section…')}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
