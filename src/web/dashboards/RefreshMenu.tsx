import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconClock, IconClockPlay } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import type { RefreshInterval } from './dashboard-search.ts';

const choices: readonly { readonly every: RefreshInterval | undefined; readonly label: string }[] = [
  { every: undefined, label: 'Off' },
  { every: '30s', label: 'Every 30 seconds' },
  { every: '1m', label: 'Every minute' },
  { every: '5m', label: 'Every 5 minutes' },
  { every: '15m', label: 'Every 15 minutes' },
];

/** How often the dashboard reads its reports by itself; in the address, so that a wall screen keeps it. */
export function RefreshMenu({ every }: { readonly every: RefreshInterval | undefined }): ReactNode {
  const navigate = useNavigate({ from: paths.dashboard });
  const chosen = choices.find((choice) => choice.every === every)?.label ?? 'Off';
  return (
    <Menu width={200}>
      <Tooltip label={`Auto refresh: ${chosen.toLowerCase()}`}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            {...(every === undefined && { color: 'gray' })}
            size={36}
            aria-label={`Auto refresh: ${chosen.toLowerCase()}`}
          >
            {every === undefined ? <IconClock size={18} /> : <IconClockPlay size={18} />}
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Label>Auto refresh</Menu.Label>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.label}
            role="menuitemradio"
            aria-checked={choice.every === every}
            fw={choice.every === every ? 600 : undefined}
            onClick={() =>
              void navigate({
                search: (search) => ({ ...search, 'refresh-every': choice.every }),
                resetScroll: false,
              })
            }
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
