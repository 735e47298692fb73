import { Anchor, Badge, Group, Paper, Stack, Tabs, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Proposal } from '#contract/proposals.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { MoreButton } from '../ui/actions/MoreButton.tsx';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Page } from '../ui/page/Page.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { proposalsQuery } from './queries.ts';
import { readProposalsSearch } from './search.ts';
import { authorText, decisionText, kindText } from './words.ts';

/** What programs have proposed. */
export function ProposalsPage(): ReactNode {
  const { orgId } = useParams({ from: paths.proposals });
  const { status = 'open' } = useSearch({ from: paths.proposals });
  const navigate = useNavigate({ from: paths.proposals });
  return (
    <Page
      title={t('Proposals')}
      description={t(
        'Reports, dashboards and changes that programs propose. Nothing changes until you accept.',
      )}
    >
      <Tabs
        value={status}
        keepMounted={false}
        onChange={(tab) => void navigate({ search: readProposalsSearch({ status: tab }), replace: true })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="open">{t('Pending')}</Tabs.Tab>
          <Tabs.Tab value="accepted">{t('Accepted')}</Tabs.Tab>
          <Tabs.Tab value="declined">{t('Declined')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={status}>
          <ProposalList orgId={orgId} status={status} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function ProposalList({
  orgId,
  status,
}: {
  readonly orgId: string;
  readonly status: Proposal['status'];
}): ReactNode {
  const list = useInfiniteQuery(proposalsQuery(orgId, status));
  if (list.error !== null && list.data === undefined)
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.data === undefined) return <Waiting height={160} />;
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState icon={IconBulb} title={status === 'open' ? t('No open proposals') : t('No proposals')}>
        {t('Programs with a token that permits proposing add them here. They are deleted after 30 days.')}
      </EmptyState>
    );
  }
  return (
    <Stack gap="sm">
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('Proposals')}>
        {items.map((proposal) => (
          <ProposalItem key={proposal.id} orgId={orgId} proposal={proposal} />
        ))}
      </Stack>
      <MoreButton list={list}>{t('Show older proposals')}</MoreButton>
    </Stack>
  );
}

const ProposalItem = ({
  orgId,
  proposal,
}: {
  readonly orgId: string;
  readonly proposal: Proposal;
}): ReactNode => (
  <Paper component="li" withBorder p="md">
    <Group gap="xs" mb={4}>
      <Anchor
        fw={600}
        style={{ overflowWrap: 'anywhere' }}
        renderRoot={(props) => (
          <Link {...props} to={paths.proposal} params={{ orgId, proposalId: proposal.id }} />
        )}
      >
        {proposal.name}
      </Anchor>
      <Badge variant="default" size="sm">
        {kindText(proposal)}
      </Badge>
    </Group>
    <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {proposal.summary}
    </Text>
    <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
      {decisionText(proposal) ?? authorText(proposal)},{' '}
      <TimeAgo at={proposal.decidedAt ?? proposal.createdAt} />
    </Text>
  </Paper>
);
