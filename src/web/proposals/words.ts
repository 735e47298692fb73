import type { Proposal } from '#contract/proposals.ts';
import { t } from '#shared/language/messages.ts';

/** Returns what a proposal is: a new record, or a change of one. */
export function kindText({ kind, baseVersion }: Pick<Proposal, 'kind' | 'baseVersion'>): string {
  if (kind === 'report') return baseVersion === undefined ? t('New report') : t('Change of a report');
  return baseVersion === undefined ? t('New dashboard') : t('Change of a dashboard');
}

/** Returns who has made a proposal. */
export function authorText({
  program,
  createdBy: { name },
}: Pick<Proposal, 'program' | 'createdBy'>): string {
  if (program === undefined) return t('Proposed by {name}', { name });
  // The program of a service account has its name.
  return program === name
    ? t('Proposed by the program {program}', { program })
    : t('Proposed by the program {program} of {name}', { program, name });
}

/** Returns whether a proposal was accepted or declined, and who decided; undefined while it is open. */
export function decisionText({
  status,
  decidedBy,
}: Pick<Proposal, 'status' | 'decidedBy'>): string | undefined {
  const name = decidedBy?.name ?? '';
  if (status === 'accepted') return t('Accepted by {name}', { name });
  return status === 'declined' ? t('Declined by {name}', { name }) : undefined;
}
