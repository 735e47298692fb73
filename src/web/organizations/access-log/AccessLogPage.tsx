import { Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { AuditFilters } from '../audit/AuditFilters.tsx';
import { AccessEntries } from './AccessEntries.tsx';
import { AccessRetention } from './AccessRetention.tsx';
import { accessChoices } from './texts.ts';

/** The data-access log of the organization, for its owners and admins. */
export function AccessLogPage(): ReactNode {
  const { orgId } = useParams({ from: paths.accessLog });
  const search = useSearch({ from: paths.accessLog });
  const navigate = useNavigate();
  const organization = useOrganization(orgId);
  if (organization !== undefined && !may(organization.role, 'audit.view')) {
    return (
      <Page title={t('Data-access log')}>
        <EmptyState icon={IconLock} title={t('You can’t view the data-access log')}>
          {t('It shows who has read which data.')} {reasonAgainst('audit.view', organization.role)}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t('Data-access log')}
      description={t(
        'Who viewed, ran and exported what. Exports have an entry each; views and runs are counted for each person and hour.',
      )}
    >
      <Stack>
        <AuditFilters
          orgId={orgId}
          search={search}
          actions={accessChoices}
          onChange={(next) =>
            void navigate({ to: paths.accessLog, params: { orgId }, search: next, replace: true })
          }
        />
        <AccessEntries orgId={orgId} search={search} />
        {organization !== undefined && <AccessRetention organization={organization} />}
      </Stack>
    </Page>
  );
}
