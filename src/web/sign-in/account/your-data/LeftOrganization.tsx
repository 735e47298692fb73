import { Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccountDeletionPreview } from '#contract/accounts/deletion.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { allMembersQuery } from '../../../ui/server-data/member-list-queries.ts';
import { sessionQuery } from '../../../ui/server-data/session.ts';

type Left = AccountDeletionPreview['organizations'][number];

/** The choice to move everything to the trash, instead of the ID of a member. */
export const trash = 'trash';

/** Whether you own anything in an organization. */
export const ownsAnything = ({ dashboards, reports, folders, dataSources }: Left): boolean =>
  [dashboards, reports, folders, dataSources].some(({ count }) => count > 0);

/** Shows what you own in an organization, and asks who gets it. */
export function LeftOrganization({
  organization,
  chosen,
  onChoose,
}: {
  readonly organization: Left;
  readonly chosen: string | null;
  readonly onChoose: (choice: string) => void;
}): ReactNode {
  const { organizationId, name, isLastOwner, mayHandOver } = organization;
  return (
    <Stack gap={4}>
      <Title order={3} fz="md">
        {name}
      </Title>
      {isLastOwner && (
        <Text size="sm" c="red.9">
          {t('You are the last owner. Make another member an owner, or delete the organization first.')}
        </Text>
      )}
      <Text size="sm">
        {ownsAnything(organization) ? sentenceOf(organization) : t('You own nothing there.')}
      </Text>
      {ownsAnything(organization) &&
        (mayHandOver ? (
          <Successor organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
        ) : (
          <Text size="sm">{t('It stays there, and admins manage it.')}</Text>
        ))}
    </Stack>
  );
}

const sentenceOf = ({ dashboards, reports, folders, dataSources }: Left): string =>
  t(
    'You own {dashboards, plural, one {# dashboard} other {# dashboards}}, {reports, plural, one {# report} other {# reports}}, {folders, plural, one {# folder} other {# folders}} and {sources, plural, one {# data source} other {# data sources}}. {restricted, plural, =0 {Other editors can see all of them.} one {One of them is restricted.} other {# of them are restricted.}}',
    {
      dashboards: dashboards.count,
      reports: reports.count,
      folders: folders.count,
      sources: dataSources.count,
      restricted: dashboards.restricted + reports.restricted + folders.restricted + dataSources.restricted,
    },
  );

function Successor({
  organizationId,
  chosen,
  onChoose,
}: {
  readonly organizationId: string;
  readonly chosen: string | null;
  readonly onChoose: (choice: string) => void;
}): ReactNode {
  const members = useQuery(allMembersQuery(organizationId));
  const { data: signedIn } = useQuery(sessionQuery);
  if (members.error !== null) return <Failure error={members.error} retry={() => void members.refetch()} />;
  const candidates = (members.data ?? []).filter(
    ({ userId, role, isServiceAccount }) =>
      userId !== signedIn?.user.id && isServiceAccount !== true && may(role, 'dashboard.create'),
  );
  return (
    <Select
      label={t('What becomes of it')}
      placeholder={t('Choose a member or the trash')}
      searchable
      data={[
        { value: trash, label: t('Move to the trash, except what others use') },
        ...candidates.map(({ userId, name, email }) => ({
          value: userId,
          label: t('Hand over to {name} ({email})', { name, email }),
        })),
      ]}
      value={chosen}
      onChange={(value) => value !== null && onChoose(value)}
    />
  );
}
