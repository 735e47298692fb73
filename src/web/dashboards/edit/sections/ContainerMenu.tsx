import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconDots,
  IconFolderSymlink,
  IconLayoutList,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../../../ui/actions/MenuAction.tsx';
import type { SectionQuestion } from './questions.ts';

/** The actions for a tab or a section. */
export function ContainerMenu({
  widgetKey,
  containerKey,
  title,
  isTab,
  index,
  count,
  onAsk,
  onMove,
  onAddWidget,
}: {
  /** Its key in the draft. */
  readonly widgetKey: string;
  /** The key by which widgets name it as their parent. */
  readonly containerKey: string;
  readonly title: string;
  readonly isTab: boolean;
  /** Its position among `count` tabs or sections. */
  readonly index: number;
  readonly count: number;
  readonly onAsk: (question: SectionQuestion) => void;
  readonly onMove: (key: string, index: number) => void;
  readonly onAddWidget: (parent: string) => void;
}): ReactNode {
  const [Before, After] = isTab ? [IconArrowLeft, IconArrowRight] : [IconArrowUp, IconArrowDown];
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={
            isTab ? t('Actions for tab “{title}”', { title }) : t('Actions for section “{title}”', { title })
          }
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuAction icon={<IconPencil size={16} />} onClick={() => onAsk({ kind: 'edit', key: widgetKey })}>
          {isTab ? t('Rename…') : t('Edit…')}
        </MenuAction>
        <MenuAction icon={<IconPlus size={16} />} onClick={() => onAddWidget(containerKey)}>
          {t('Add widget here')}
        </MenuAction>
        {isTab && (
          <MenuAction
            icon={<IconLayoutList size={16} />}
            onClick={() => onAsk({ kind: 'add-section', parent: containerKey })}
          >
            {t('Add section here…')}
          </MenuAction>
        )}
        <MenuAction
          icon={<Before size={16} />}
          reason={index > 0 ? undefined : isTab ? t('It is the first tab.') : t('It is the first section.')}
          onClick={() => onMove(widgetKey, index - 1)}
        >
          {isTab ? t('Move left') : t('Move up')}
        </MenuAction>
        <MenuAction
          icon={<After size={16} />}
          reason={
            index < count - 1 ? undefined : isTab ? t('It is the last tab.') : t('It is the last section.')
          }
          onClick={() => onMove(widgetKey, index + 1)}
        >
          {isTab ? t('Move right') : t('Move down')}
        </MenuAction>
        {!isTab && (
          <MenuAction
            icon={<IconFolderSymlink size={16} />}
            onClick={() => onAsk({ kind: 'move', key: widgetKey })}
          >
            {t('Move to tab…')}
          </MenuAction>
        )}
        <MenuAction icon={<IconTrash size={16} />} onClick={() => onAsk({ kind: 'delete', key: widgetKey })}>
          {t('Delete…')}
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}
