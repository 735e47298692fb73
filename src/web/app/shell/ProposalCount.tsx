import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { maxCountedProposals, openProposalsQuery } from '../../ui/server-data/proposal-queries.ts';

/** How many open proposals you may decide; nothing if there are none. */
export function ProposalCount({ orgId }: { readonly orgId: string }): ReactNode {
  const { data = [] } = useQuery(openProposalsQuery(orgId));
  const count = data.filter(({ canDecide }) => canDecide).length;
  if (count === 0) return null;
  const shown = count > maxCountedProposals ? `${maxCountedProposals}+` : String(count);
  return (
    <Badge
      size="sm"
      variant="default"
      ml="auto"
      role="img"
      aria-label={t('{count, plural, one {# to decide} other {# to decide}}', { count })}
    >
      {shown}
    </Badge>
  );
}
