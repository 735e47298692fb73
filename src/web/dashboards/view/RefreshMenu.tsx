import { ActionIcon, Menu } from '@mantine/core';
import { IconClock, IconClockPlay } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { readDashboardSearch, type RefreshInterval } from './search.ts';

const choices: Readonly<Record<RefreshInterval | 'off', string>> = {
  off: 'Off',
  '30s': 'Every 30 seconds',
  '1m': 'Every minute',
  '5m': 'Every 5 minutes',
  '15m': 'Every 15 minutes',
};

/** How often the dashboard refreshes by itself. It is part of the URL, so that a wall display can be set up with a link. */
export function RefreshMenu({ every }: { readonly every: RefreshInterval | undefined }): ReactNode {
  const navigate = useNavigate({ from: paths.dashboard });
  const label = `Auto refresh: ${choices[every ?? 'off'].toLowerCase()}`;
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
        <Menu.Label>Auto refresh</Menu.Label>
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
