import { Button, Stack } from '@mantine/core';
import { IconDownload, IconLock } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { addressOf } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { AuditEntries } from './AuditEntries.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { toAuditQuery } from './search.ts';
import { actionChoices } from './texts.ts';

/** The audit log of the organization, for its owners and admins. */
export function AuditPage(): ReactNode {
  const { orgId } = useParams({ from: paths.audit });
  const search = useSearch({ from: paths.audit });
  const navigate = useNavigate();
  const organization = useOrganization(orgId);
  if (organization !== undefined && !may(organization.role, 'audit.view')) {
    return (
      <Page title={t('Audit log')}>
        <EmptyState icon={IconLock} title={t('You can’t view the audit log')}>
          {t('It shows who did what, and from where.')} {reasonAgainst('audit.view', organization.role)}
        </EmptyState>
      </Page>
    );
  }
  const exportAddress = addressOf('GET /api/organizations/{orgId}/audit/export', {
    params: { orgId },
    query: toAuditQuery(search),
  });
  return (
    <Page
      title={t('Audit log')}
      description={t('Who did what, and who signed in or tried to. Entries are never changed or removed.')}
      actions={
        <Button
          component="a"
          href={exportAddress}
          download="audit.ndjson"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('Export these entries')}
        </Button>
      }
    >
      <Stack>
        <AuditFilters
          orgId={orgId}
          search={search}
          actions={actionChoices}
          onChange={(next) =>
            void navigate({ to: paths.audit, params: { orgId }, search: next, replace: true })
          }
        />
        <AuditEntries orgId={orgId} search={search} />
      </Stack>
    </Page>
  );
}
