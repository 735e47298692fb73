import { ActionIcon, Menu } from '@mantine/core';
import { IconClock, IconClockPlay } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { readDashboardSearch, type RefreshInterval } from './search.ts';

const choices: Readonly<Record<RefreshInterval | 'off', string>> = {
  off: t('Off'),
  '30s': t('Every 30 seconds'),
  '1m': t('Every minute'),
  '5m': t('Every 5 minutes'),
  '15m': t('Every 15 minutes'),
};

const labels: Readonly<Record<RefreshInterval | 'off', string>> = {
  off: t('Auto refresh: off'),
  '30s': t('Auto refresh: every 30 seconds'),
  '1m': t('Auto refresh: every minute'),
  '5m': t('Auto refresh: every 5 minutes'),
  '15m': t('Auto refresh: every 15 minutes'),
};

/** How often the dashboard refreshes by itself. It is part of the URL, so that a wall display can be set up with a link. */
export function RefreshMenu({ every }: { readonly every: RefreshInterval | undefined }): ReactNode {
  const navigate = useNavigate({ from: paths.dashboard });
  const label = labels[every ?? 'off'];
  const choose = (chosen: string) =>
    void navigate({
      search: (search) => readDashboardSearch({ ...search, 'refresh-every': chosen }),
      resetScroll: false,
    });
  return (
    <Menu width={200}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          {...(every === undefined && { color: 'gray' })}
          size={36}
          title={label}
          aria-label={label}
        >
          {every === undefined ? <IconClock size={18} /> : <IconClockPlay size={18} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Auto refresh')}</Menu.Label>
        <Menu.RadioGroup value={every ?? 'off'} onChange={choose}>
          {Object.entries(choices).map(([value, text]) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {text}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
