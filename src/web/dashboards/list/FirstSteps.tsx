import { Loader, Paper, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconDatabase,
  IconFileUpload,
  IconLayoutDashboard,
  IconSparkles,
  IconUserPlus,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';

/** The first steps in an organization without dashboards. */
export function FirstSteps({
  orgId,
  role,
}: {
  readonly orgId: string;
  readonly role: Role | undefined;
}): ReactNode {
  const navigate = useNavigate();
  const client = useQueryClient();
  const sample = useMutation({
    mutationFn: () => call('POST /api/organizations/{orgId}/sample', { params: { orgId } }),
    onSuccess: ({ dashboardId }) => {
      void client.invalidateQueries();
      return navigate({ to: paths.dashboard, params: { dashboardId } });
    },
  });
  if (role !== undefined && !may(role, 'dashboard.create')) {
    return (
      <EmptyState icon={IconLayoutDashboard} title={t('No dashboards yet')}>
        {t('Dashboards that the editors of this organization create will appear here.')}
      </EmptyState>
    );
  }
  const adminReason = role && reasonAgainst('member.manage', role);
  const isLoading = sample.isPending;
  return (
    <Stack gap="lg" py="md">
      <div>
        <Title order={2} fz="h4">
          {t('What would you like to do first?')}
        </Title>
        <Text c="dimmed" size="sm">
          {t('A dashboard shows reports, and each report queries your data.')}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Step
          icon={IconSparkles}
          title={t('Explore sample data')}
          text={t('Real public data, with nine reports and a dashboard.')}
        >
          <ActionButton
            fullWidth
            {...(isLoading && { reason: t('The sample is loading.'), leftSection: <Loader size={14} /> })}
            onClick={() => sample.mutate()}
          >
            {t('Load sample')}
          </ActionButton>
        </Step>
        <Step
          icon={IconFileUpload}
          title={t('Upload files')}
          text={t('CSV, JSON or Parquet, up to 2 GB each.')}
        >
          <ActionButton
            fullWidth
            variant="default"
            onClick={() => void navigate({ to: paths.newDataSource, params: { orgId } })}
          >
            {t('Upload data')}
          </ActionButton>
        </Step>
        <Step
          icon={IconDatabase}
          title={t('Connect a database')}
          text={t('Reports query it directly. Nothing is copied.')}
        >
          <ActionButton
            fullWidth
            variant="default"
            reason={adminReason}
            onClick={() => void navigate({ to: paths.newDataSource, params: { orgId } })}
          >
            {t('Connect PostgreSQL')}
          </ActionButton>
        </Step>
        <Step
          icon={IconUserPlus}
          title={t('Invite colleagues')}
          text={t('By email, or with a link that you send them.')}
        >
          <ActionButton
            fullWidth
            variant="default"
            reason={adminReason}
            onClick={() =>
              void navigate({ to: paths.members, params: { orgId }, search: { open: 'invite' } })
            }
          >
            {t('Invite people')}
          </ActionButton>
        </Step>
      </SimpleGrid>
      <Text role="status" size="sm" c="dimmed">
        {isLoading &&
          t('Loading the sample, which includes three million flights. This takes a few seconds.')}
      </Text>
      {sample.error !== null && <Failure error={sample.error} />}
    </Stack>
  );
}

function Step({
  icon: Icon,
  title,
  text,
  children,
}: {
  readonly icon: ComponentType<{ size: number }>;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Paper withBorder p="md">
      <Stack h="100%" gap="xs">
        <ThemeIcon variant="light" size="lg" aria-hidden>
          <Icon size={18} />
        </ThemeIcon>
        <Title order={3} fz="md">
          {title}
        </Title>
        <Text size="sm" c="dimmed" flex={1}>
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
