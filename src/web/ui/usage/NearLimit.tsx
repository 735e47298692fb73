import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Usage } from '#contract/organizations/usage.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { sessionQuery, useOrganization } from '../server-data/session.ts';
import { formatBytes } from '../text/bytes.ts';
import { usageQuery } from './queries.ts';
import { isNearLimit, shareOf } from './shares.ts';

/** Warns that little more can be stored, where one creates; nothing for people who can't see the usage. */
export function NearLimitNotice({ orgId }: { readonly orgId?: string }): ReactNode {
  const { data: signedIn } = useQuery(sessionQuery);
  const role = useOrganization(orgId)?.role;
  const isVisible =
    orgId === undefined
      ? signedIn?.session.organizationId === undefined
      : role !== undefined && may(role, 'organization.change');
  const { data: usage } = useQuery({ ...usageQuery(orgId), enabled: signedIn !== undefined && isVisible });
  return usage !== undefined && isVisible && <NearLimit usage={usage} orgId={orgId} />;
}

/** Warns that little more can be stored, and what to do; nothing below the share from which it matters. */
export function NearLimit({
  usage: { records, bytes },
  orgId,
}: {
  readonly usage: Usage;
  readonly orgId: string | undefined;
}): ReactNode {
  const near = [records, bytes].filter(isNearLimit);
  if (near.length === 0) return null;
  const isReached = near.some((use) => shareOf(use) === 1);
  const values = {
    records: t('{used} of {limit}', { used: records.used, limit: records.limit }),
    bytes: t('{used} of {limit}', { used: formatBytes(bytes.used), limit: formatBytes(bytes.limit) }),
  };
  return (
    <Alert
      icon={<IconAlertTriangle aria-hidden />}
      color="yellow"
      title={isReached ? t('No more can be stored') : t('The limit of what can be stored is near')}
    >
      {orgId === undefined
        ? t('You have {records} private dashboards, and {bytes} of content and former versions.', values)
        : t(
            'The organization has {records} dashboards, reports, folders and data sources, and {bytes} of content and former versions.',
            values,
          )}{' '}
      {t(
        'Delete what is no longer needed, and delete it permanently in the trash, or ask the operator of this server to raise the limit.',
      )}
    </Alert>
  );
}
