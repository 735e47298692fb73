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
  const noun = isTab ? 'tab' : 'section';
  const [Before, After] = isTab ? [IconArrowLeft, IconArrowRight] : [IconArrowUp, IconArrowDown];
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Actions for ${noun} “${title}”`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuAction icon={<IconPencil size={16} />} onClick={() => onAsk({ kind: 'edit', key: widgetKey })}>
          {isTab ? 'Rename…' : 'Edit…'}
        </MenuAction>
        <MenuAction icon={<IconPlus size={16} />} onClick={() => onAddWidget(containerKey)}>
          Add widget here
        </MenuAction>
        {isTab && (
          <MenuAction
            icon={<IconLayoutList size={16} />}
            onClick={() => onAsk({ kind: 'add-section', parent: containerKey })}
          >
            Add section here…
          </MenuAction>
        )}
        <MenuAction
          icon={<Before size={16} />}
          reason={index === 0 ? `It is the first ${noun}.` : undefined}
          onClick={() => onMove(widgetKey, index - 1)}
        >
          {isTab ? 'Move left' : 'Move up'}
        </MenuAction>
        <MenuAction
          icon={<After size={16} />}
          reason={index === count - 1 ? `It is the last ${noun}.` : undefined}
          onClick={() => onMove(widgetKey, index + 1)}
        >
          {isTab ? 'Move right' : 'Move down'}
        </MenuAction>
        {!isTab && (
          <MenuAction
            icon={<IconFolderSymlink size={16} />}
            onClick={() => onAsk({ kind: 'move', key: widgetKey })}
          >
            Move to tab…
          </MenuAction>
        )}
        <MenuAction icon={<IconTrash size={16} />} onClick={() => onAsk({ kind: 'delete', key: widgetKey })}>
          Delete…
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}
