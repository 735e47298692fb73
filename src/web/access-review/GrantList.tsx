import { Anchor, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { AccessGrant } from '#contract/organizations/access-review.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { MoreButton } from '../ui/actions/MoreButton.tsx';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { allMembersQuery } from '../ui/server-data/member-list-queries.ts';
import { sessionQuery } from '../ui/server-data/session.ts';
import { GroupId } from '../ui/text/GroupId.tsx';
import { rich } from '../ui/text/rich.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { scopesText } from '../tokens/scopes.ts';
import { reviewQuery } from './queries.ts';
import { reasonAgainstRemoving } from './removal.ts';
import { RemoveGrant } from './RemoveGrant.tsx';
import type { ReviewSearch } from './search.ts';
import { accessNames, granteeNames, kindNames, reasonText } from './texts.ts';
import classes from './GrantList.module.css';
import { Waiting } from '../ui/page/Waiting.tsx';

/** The grants that match the filters, each with a button that removes it or says why that isn't possible here. */
export function GrantList({
  organization,
  search,
}: {
  readonly organization: Organization;
  readonly search: ReviewSearch;
}): ReactNode {
  const { id: orgId, role } = organization;
  const grants = useInfiniteQuery(reviewQuery(orgId, search));
  const { data: members } = useQuery(allMembersQuery(orgId));
  const { data: signedIn } = useQuery(sessionQuery);
  const [removed, setRemoved] = useState<AccessGrant>();
  if (grants.error !== null && grants.data === undefined)
    return <Failure error={grants.error} retry={() => void grants.refetch()} />;
  if (grants.data === undefined || members === undefined || signedIn === undefined)
    return <Waiting height={320} />;
  const items = grants.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState icon={IconUserCheck} title={t('Nothing matches')}>
        {t('Remove a filter to see more.')}
      </EmptyState>
    );
  }
  const reviewer = { orgId, userId: signedIn.user.id, role, members };
  return (
    <Stack>
      <Paper withBorder className={classes['scroll']} tabIndex={0} role="region" aria-label={t('Access')}>
        <Table verticalSpacing="xs" horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Who')}</Table.Th>
              <Table.Th>{t('What')}</Table.Th>
              <Table.Th>{t('Access')}</Table.Th>
              <Table.Th>{t('Since')}</Table.Th>
              <Table.Th>{t('Last seen')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('Actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((grant) => (
              <GrantRow
                key={grant.id}
                orgId={orgId}
                grant={grant}
                reason={reasonAgainstRemoving(grant, reviewer)}
                onRemove={() => setRemoved(grant)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {grants.error !== null && <Failure error={grants.error} retry={() => void grants.fetchNextPage()} />}
      <MoreButton list={grants}>{t('Show more')}</MoreButton>
      {removed !== undefined && (
        <RemoveGrant orgId={orgId} grant={removed} members={members} onClose={() => setRemoved(undefined)} />
      )}
    </Stack>
  );
}

const GrantRow = ({
  orgId,
  grant,
  reason,
  onRemove,
}: {
  readonly orgId: string;
  readonly grant: AccessGrant;
  readonly reason: string | undefined;
  readonly onRemove: () => void;
}): ReactNode => {
  const { grantee, object, access, scopes, since, grantedBy, lastSeenAt, expiresAt } = grant;
  return (
    <Table.Tr>
      <Table.Td className={classes['name']}>
        <Text size="sm" fw={500}>
          {grantee.name}
        </Text>
        <Text size="sm" c="dimmed">
          {grantee.email ?? granteeNames[grantee.kind]}
        </Text>
        {grantee.kind === 'group' && <GroupId id={grantee.id} name={grantee.name} />}
      </Table.Td>
      <Table.Td className={classes['name']}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to={paths.accessReview}
              params={{ orgId }}
              search={{ objectKind: object.kind, objectId: object.id }}
              aria-label={t('Only {name}', { name: object.name })}
            />
          )}
        >
          {object.name}
        </Anchor>
        <Text size="sm" c="dimmed">
          {kindNames[object.kind]}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{accessNames[access]}</Text>
        <Text size="sm" c="dimmed">
          {reasonText(grant)}
        </Text>
        <GroupId id={grant.groupId} name={grant.groupName} />
        {scopes !== undefined && (
          <Text size="xs" c="dimmed">
            {scopesText(scopes)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" component="div">
          {since === undefined ? t('Not known') : <TimeAgo at={since} />}
        </Text>
        {grantedBy !== undefined && (
          <Text size="sm" c="dimmed">
            {t('by {name}', { name: grantedBy.name })}
          </Text>
        )}
        {expiresAt !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            {rich('Expires {time}', { time: <TimeAgo at={expiresAt} /> })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" component="div">
          {lastSeenAt === undefined ? (
            grantee.kind === 'group' ? (
              ''
            ) : (
              t('Never')
            )
          ) : (
            <TimeAgo at={lastSeenAt} />
          )}
        </Text>
      </Table.Td>
      <Table.Td>
        <ActionButton
          size="xs"
          variant="default"
          reason={reason}
          aria-label={t('Remove: {name}, {object}', { name: grantee.name, object: object.name })}
          onClick={onRemove}
        >
          {t('Remove')}
        </ActionButton>
      </Table.Td>
    </Table.Tr>
  );
};
