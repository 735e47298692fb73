import type { Proposal } from '#contract/proposals.ts';
import { may } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { parseJson } from '../base/texts/json.ts';
import { requirePermission } from '../organizations/authorization.ts';
import type { Reader } from '../storage/database.ts';
import { findProposal, type Viewer, type VisibleProposal } from './visible-store.ts';

/** A proposal of an organization. */
export interface ProposalKey {
  readonly organizationId: string;
  readonly proposalId: string;
}

/** A proposal with its content as JSON. */
export type FoundProposal = VisibleProposal & { readonly content: string };

/** Returns what decides which proposals the actor may see. Requires membership. With a token, they are only its owner's. */
export async function requireViewer(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  organizationId: string,
): Promise<Viewer> {
  const role = await requirePermission(reader, actor, organizationId, 'organization.view');
  return {
    organizationId,
    userId: actor.userId,
    now: timestamp(clock()),
    mayCreate: (may(role, 'report.create') && may(role, 'dashboard.create')) || undefined,
    onlyOwn: actor.credential.kind === 'token' || undefined,
  };
}

/** Returns a proposal that the actor may see. Throws `not_found`. */
export async function requireProposal(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  { organizationId, proposalId }: ProposalKey,
): Promise<FoundProposal> {
  const viewer = await requireViewer(reader, clock, actor, organizationId);
  const found = await findProposal(reader, viewer, proposalId);
  if (found === undefined) throw notFound();
  return found;
}

/** Throws `proposal_decided` unless a proposal is open. */
export function requireOpenProposal({ status, decidedByName }: VisibleProposal): void {
  if (status === 'open') return;
  throw new AtriumError(
    'proposal_decided',
    `${decidedByName ?? 'Someone'} has already ${status} this proposal.`,
  );
}

/** Returns a proposal as the contract describes it, without its content. */
export const toProposal = (proposal: VisibleProposal): Proposal => ({
  id: proposal.id,
  organizationId: proposal.organizationId,
  kind: proposal.kind,
  recordId: proposal.recordId,
  ...(proposal.baseVersion !== null && { baseVersion: proposal.baseVersion }),
  name: proposal.name,
  summary: proposal.summary,
  createdBy: { id: proposal.createdBy, name: proposal.createdByName },
  ...(proposal.program !== null && { program: proposal.program }),
  status: proposal.status,
  ...(proposal.decidedBy !== null && {
    decidedBy: { id: proposal.decidedBy, name: proposal.decidedByName ?? '' },
  }),
  ...(proposal.decidedAt !== null && { decidedAt: proposal.decidedAt }),
  canDecide: proposal.mayDecide && proposal.status === 'open',
  createdAt: proposal.createdAt,
  expiresAt: proposal.expiresAt,
});

/** Returns a proposal as the contract describes it, with its content. */
export const toDetails = (proposal: FoundProposal): Proposal => ({
  ...toProposal(proposal),
  // Sound because the content was made by the kind when it was proposed.
  [proposal.kind]: parseJson(proposal.content) as object,
});
