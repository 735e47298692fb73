import { Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import {
  IconBook,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconServer,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { notifyError } from '../ui/notify.ts';
import { sessionQuery } from '../ui/session.ts';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const;

export function AccountMenu(): ReactNode {
  const { data: signedIn } = useQuery(sessionQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const name = signedIn?.user.name ?? '';
  return (
    <Menu position="top-start" width={232}>
      <Menu.Target>
        <UnstyledButton className="switcher">
          <VisuallyHidden>Account of </VisuallyHidden>
          <IconUserCircle size={22} aria-hidden />
          <Text truncate size="sm" flex={1}>
            {name}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{signedIn?.user.email}</Menu.Label>
        <Menu.Item
          leftSection={<IconUserCircle size={16} />}
          onClick={() => void navigate({ to: paths.account })}
        >
          Account
        </Menu.Item>
        <Menu.Item leftSection={<IconServer size={16} />} onClick={() => void navigate({ to: paths.server })}>
          Server
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/api/docs">
          API
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            leftSection={<Icon size={16} />}
            closeMenuOnClick={false}
            fw={colorScheme === value ? 600 : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useSignOut(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    const { logoutUrl } = await call('POST /api/auth/sign-out');
    client.clear();
    if (logoutUrl === undefined) await navigate({ to: paths.signIn });
    else location.assign(logoutUrl);
  };
  return () => void signOut().catch(notifyError);
}
