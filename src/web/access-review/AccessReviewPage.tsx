import { Button, Stack } from '@mantine/core';
import { IconDownload, IconLock } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { addressOf } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Page } from '../ui/page/Page.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { GrantList } from './GrantList.tsx';
import { ReviewFilters } from './ReviewFilters.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';

/** Who may do what in the organization, and why, for its owners and admins. */
export function AccessReviewPage(): ReactNode {
  const { orgId } = useParams({ from: paths.accessReview });
  const search = useSearch({ from: paths.accessReview });
  const navigate = useNavigate();
  const organization = useOrganization(orgId);
  if (organization !== undefined && !may(organization.role, 'access.review')) {
    return (
      <Page title={t('Access review')}>
        <EmptyState icon={IconLock} title={t('You can’t review access')}>
          {t('It shows who may do what, and why.')} {reasonAgainst('access.review', organization.role)}
        </EmptyState>
      </Page>
    );
  }
  const exportAddress = addressOf('GET /api/organizations/{orgId}/access-review/export', {
    params: { orgId },
    query: { ...search },
  });
  return (
    <Page
      title={t('Access review')}
      description={t(
        'Who may do what, and why: by role, shares, groups, tokens and links. Roles apply to everything that isn’t restricted.',
      )}
      actions={
        <Button
          component="a"
          href={exportAddress}
          download="access-review.csv"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('Download as CSV')}
        </Button>
      }
    >
      <Stack>
        <ReviewFilters
          orgId={orgId}
          search={search}
          onChange={(next) =>
            void navigate({ to: paths.accessReview, params: { orgId }, search: next, replace: true })
          }
        />
        {organization === undefined ? (
          <Waiting height={320} />
        ) : (
          <GrantList organization={organization} search={search} />
        )}
      </Stack>
    </Page>
  );
}
