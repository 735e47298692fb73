import { Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconBook, IconKeyboard, IconLogout, IconServer, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isLanguage, languages } from '#shared/language/languages.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../paths.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { chooseLanguage, chosenLanguage } from '../../ui/language/language.ts';
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
          <VisuallyHidden>{`${t('Account of')} `}</VisuallyHidden>
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
          {t('Account')}
        </Menu.Item>
        <Menu.Item leftSection={<IconServer size={16} />} onClick={() => void navigate({ to: paths.server })}>
          {t('Server')}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/api/docs">
          {t('API')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShowShortcuts}>
          {t('Keyboard shortcuts')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('Theme')}</Menu.Label>
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
        <Menu.Label>{t('Language')}</Menu.Label>
        <Menu.RadioGroup
          value={chosenLanguage() ?? ''}
          onChange={(value) => chooseLanguage(isLanguage(value) ? value : undefined)}
        >
          <Menu.RadioItem value="">{t('Automatic')}</Menu.RadioItem>
          {Object.entries(languages).map(([tag, name]) => (
            <Menu.RadioItem key={tag} value={tag} lang={tag}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
