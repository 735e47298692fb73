import { ActionIcon, Menu } from '@mantine/core';
import { IconDeviceFloppy, IconDots, IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../ui/actions/MenuAction.tsx';

export function ChartMenu({
  title,
  saveReason,
  onSave,
  onHide,
}: {
  readonly title: string;
  readonly saveReason: string | undefined;
  readonly onSave: () => void;
  readonly onHide: () => void;
}): ReactNode {
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={24} aria-label={t('More about {title}', { title })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuAction icon={<IconDeviceFloppy size={16} />} reason={saveReason} onClick={onSave}>
          {t('Save this chart as report')}
        </MenuAction>
        <MenuAction icon={<IconEyeOff size={16} />} onClick={onHide}>
          {t('Hide this chart')}
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}
