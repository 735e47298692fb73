import { Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconBook, IconKeyboard, IconLogout, IconServer, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { colorSchemes } from '../palette/color-schemes.ts';
import { useSignOut } from './session/use-sign-out.ts';

export function AccountMenu({ onShowShortcuts }: { readonly onShowShortcuts: () => void }): ReactNode {
  const { data: signedIn } = useQuery(sessionQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const name = signedIn?.user.name ?? '';
  return (
    <Menu position="top-start" width={224}>
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
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShowShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          {colorSchemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
