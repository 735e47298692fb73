import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';

/** Replaces a page that requires edit access, for people who can only view the dashboard. */
export const NotAnEditor = ({
  dashboardId,
  title,
}: {
  readonly dashboardId: string;
  readonly title: string;
}): ReactNode => (
  <EmptyState
    icon={IconLock}
    title={title}
    action={
      <Button renderRoot={(props) => <Link {...props} to={paths.dashboard} params={{ dashboardId }} />}>
        {t('View dashboard')}
      </Button>
    }
  >
    {t(
      'Ask its owner or an admin of the organization for permission to edit it, or duplicate it and edit the copy.',
    )}
  </EmptyState>
);
