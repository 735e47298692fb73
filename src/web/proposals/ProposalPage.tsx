import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Proposal, ProposalReview } from '#contract/proposals.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { withReportNames } from '../dashboards/history/change-text.ts';
import { useReportNames } from '../dashboards/results/use-report-names.ts';
import { ChangeList } from '../history/ChangeList.tsx';
import { Page } from '../ui/page/Page.tsx';
import { Section } from '../ui/page/Section.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { FolderChoice } from './FolderChoice.tsx';
import { ProposalButtons } from './ProposalButtons.tsx';
import { proposalQuery, reviewQuery } from './queries.ts';
import { Comparison } from './states/Comparison.tsx';
import { authorText, decisionText, kindText } from './words.ts';

/** One proposal: what it changes, what there is now beside what is proposed, and the decision. */
export function ProposalPage(): ReactNode {
  const { orgId, proposalId } = useParams({ from: paths.proposal });
  const { data: proposal, error, refetch } = useQuery(proposalQuery(orgId, proposalId));
  const review = useQuery({
    ...reviewQuery(orgId, proposalId),
    enabled: proposal?.canDecide === true,
  });
  const [folderId, setFolderId] = useState<string>();
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (proposal === undefined) return <Waiting height={480} />;
  const back = (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to={paths.proposals} params={{ orgId }} search={{}} />}
    >
      {t('Back to proposals')}
    </Button>
  );
  return (
    <Page
      title={proposal.name}
      description={
        <>
          {kindText(proposal)} · {authorText(proposal)}, <TimeAgo at={proposal.createdAt} />
        </>
      }
      actions={
        proposal.canDecide ? (
          <ProposalButtons
            proposal={proposal}
            folderId={folderId}
            reasonAgainstAccepting={reasonAgainst(review)}
          />
        ) : (
          back
        )
      }
    >
      <Summary proposal={proposal} />
      {proposal.canDecide && proposal.baseVersion === undefined && (
        <FolderChoice orgId={orgId} folderId={folderId} choose={setFolderId} />
      )}
      {!proposal.canDecide && <State proposal={proposal} />}
      {proposal.canDecide && review.error !== null && (
        <Failure error={review.error} retry={() => void review.refetch()} />
      )}
      {proposal.canDecide && review.error === null && review.data === undefined && <Waiting height={320} />}
      {review.data !== undefined && proposal.canDecide && (
        <Review orgId={orgId} proposal={proposal} review={review.data} />
      )}
    </Page>
  );
}

function reasonAgainst({
  data,
  error,
}: {
  readonly data: ProposalReview | undefined;
  readonly error: unknown;
}): string | undefined {
  if (error !== null) return t('It can’t be compared with the current version.');
  if (data === undefined) return t('Still loading what would change.');
  return data.conflicts.length > 0 ? t('Others have changed the same parts. Edit it first.') : undefined;
}

/** What the proposer wrote, as plain text. */
const Summary = ({ proposal: { program, summary } }: { readonly proposal: Proposal }): ReactNode => (
  <Section
    title={t('Explanation')}
    description={
      program === undefined
        ? undefined
        : t('Written by a program, which can be wrong or misled by data. Rely on the changes below instead.')
    }
  >
    <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {summary}
    </Text>
  </Section>
);

const State = ({ proposal }: { readonly proposal: Proposal }): ReactNode => (
  <Text role="status">{decisionText(proposal) ?? t('Waiting for someone who can save this.')}</Text>
);

function Review({
  orgId,
  proposal,
  review,
}: {
  readonly orgId: string;
  readonly proposal: Proposal;
  readonly review: ProposalReview;
}): ReactNode {
  const nameOfReport = useReportNames(orgId);
  const { changes, conflicts } = review;
  const isChange = proposal.baseVersion !== undefined;
  return (
    <Stack gap="lg">
      {conflicts.length > 0 && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('Conflicting changes')}
        >
          {t(
            'Others have changed the same parts since this was proposed, so it can’t be accepted as it is. Edit it first: when you save, you choose which changes to use.',
          )}
        </Alert>
      )}
      {isChange && (
        <Section title={t('What changes')}>
          {changes.length === 0 ? (
            <Text size="sm">{t('Nothing: all of this was saved in the meantime.')}</Text>
          ) : (
            <ChangeList changes={changes} summaryOf={(change) => withReportNames(change, nameOfReport)} />
          )}
        </Section>
      )}
      <Comparison orgId={orgId} proposal={proposal} review={review} />
    </Stack>
  );
}
