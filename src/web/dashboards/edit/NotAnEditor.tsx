import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** What stands in the place of what takes editing a dashboard, for whoever may only view it. */
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
        View it
      </Button>
    }
  >
    Its owner, or an admin of its organization, can let you edit it. Or duplicate it, and edit the copy.
  </EmptyState>
);
