import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowsMove,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconFolderSymlink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { WidgetActions } from './use-widget-actions.ts';

/** The actions for a widget. Its buttons don't start a drag, although they are in the header. */
export function EditorWidgetMenu({
  widgetKey,
  title,
  isStacked,
  actions,
}: {
  readonly widgetKey: string;
  readonly title: string;
  readonly isStacked: boolean;
  readonly actions: WidgetActions;
}): ReactNode {
  const icon = { variant: 'subtle', color: 'gray', size: 28 } as const;
  return (
    <>
      {isStacked && (
        <>
          <ActionIcon
            {...icon}
            aria-label={t('Move {title} up', { title })}
            onClick={() => actions.swap(widgetKey, -1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            {...icon}
            aria-label={t('Move {title} down', { title })}
            onClick={() => actions.swap(widgetKey, 1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
        </>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon {...icon} aria-label={t('Actions for {title}', { title })} data-no-drag>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => actions.edit(widgetKey)}>
            {t('Edit…')}
          </Menu.Item>
          {!isStacked && (
            <Menu.Item
              leftSection={<IconArrowsMove size={16} />}
              onClick={() => actions.beginMove(widgetKey)}
            >
              {t('Move or resize with the keyboard')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconFolderSymlink size={16} />} onClick={() => actions.moveTo(widgetKey)}>
            {t('Move to…')}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => actions.duplicate(widgetKey)}>
            {t('Duplicate')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => actions.remove(widgetKey)}>
            {t('Remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
