import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../paths.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { accountQuery, organizationsQuery } from '../../ui/server-data/session.ts';
import { NewOrganizationDialog } from './NewOrganizationDialog.tsx';

/** Shows the current organization, and switches to another one or to private dashboards. */
export function OrganizationSwitcher({ orgId }: { readonly orgId: string | undefined }): ReactNode {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const [isCreating, setIsCreating] = useState(false);
  const navigate = useNavigate();
  const current = organizations.find(({ id }) => id === orgId);
  return (
    <>
      <NewOrganizationDialog opened={isCreating} onClose={() => setIsCreating(false)} />
      <Menu position="bottom-start" width="target">
        <Menu.Target>
          <UnstyledButton className="switcher">
            <VisuallyHidden>{`${t('Organization:')} `}</VisuallyHidden>
            <Logo logoId={current?.logoId} height={26}>
              <span className="switcher-mark" aria-hidden>
                {(current?.name ?? 'A').slice(0, 1).toUpperCase()}
              </span>
            </Logo>
            <Text truncate fw={600} size="sm" flex={1}>
              {current?.name ?? 'Atrium'}
            </Text>
            <IconSelector size={16} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {organizations.map(({ id, name }) => (
            <Menu.Item
              key={id}
              aria-current={id === orgId}
              rightSection={id === orgId ? <IconCheck size={16} aria-hidden /> : undefined}
              onClick={() => void navigate({ to: paths.dashboards, params: { orgId: id } })}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconUser size={16} aria-hidden />}
            onClick={() => void navigate({ to: paths.privateDashboards })}
          >
            {t('Private dashboards')}
          </Menu.Item>
          <NewOrganization onClick={() => setIsCreating(true)} />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** A component of its own, so that only the open menu requests the account, not every page. */
function NewOrganization({ onClick }: { readonly onClick: () => void }): ReactNode {
  const { data: account } = useQuery(accountQuery);
  return (
    <MenuAction
      icon={<IconPlus size={16} aria-hidden />}
      reason={
        account?.mayCreateOrganizations === false
          ? t('Only operators of this server can create organizations. Ask an operator.')
          : undefined
      }
      onClick={onClick}
    >
      {t('New organization')}
    </MenuAction>
  );
}
