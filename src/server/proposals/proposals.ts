import type { Proposal } from '#contract/proposals.ts';
import { may, mayOn } from '#shared/permissions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, invalidBody } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import { findTokenName } from '../credentials/tokens.ts';
import { requirePermissionToChange } from '../organizations/authorization.ts';
import { findAccountById } from '../organizations/users.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { requireContent, type OrganizationProposal } from './content.ts';
import {
  countOpenProposals,
  deleteExpiredProposals,
  deleteProposal,
  insertProposal,
  lockProposal,
  type ProposalStatus,
} from './store.ts';
import type { ProposalTargets } from './targets.ts';
import { selectProposals } from './visible-store.ts';
import {
  requireOpenProposal,
  requireProposal,
  requireViewer,
  toDetails,
  toProposal,
  type ProposalKey,
} from './visible.ts';

/** More than a person reads, so that a program can't flood people. */
const maxOpen = 50;
const expiresAfterMs = daysMs(30);

export interface ProposalDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly targets: ProposalTargets;
}

/**
 * Proposes a new report or dashboard, or a change of one. Nothing else changes until a person accepts it. Throws `not_found`,
 * `invalid_body` with every fault, `body_too_large` and `too_many_proposals`.
 */
export const createProposal = (
  { database, clock, targets }: ProposalDependencies,
  actor: Actor,
  input: OrganizationProposal,
): Promise<Proposal> =>
  database.write((transaction) => addProposal(transaction, { clock, targets }, actor, input));

/** Like `createProposal`, as a part of a transaction. */
export async function addProposal(
  transaction: Transaction,
  { clock, targets }: Pick<ProposalDependencies, 'clock' | 'targets'>,
  actor: Actor,
  input: OrganizationProposal,
): Promise<Proposal> {
  const { organizationId, summary } = input;
  const { userId } = actor;
  const role = await requirePermissionToChange(transaction, actor, organizationId, 'organization.view');
  if (summary.trim() === '') {
    throw invalidBody({ pointer: '/summary', code: 'minLength', message: 'must not be empty' });
  }
  const proposed = await requireContent(transaction, targets, actor, input);
  const now = clock();
  const key = { organizationId, userId, now: timestamp(now) };
  if ((await countOpenProposals(transaction, key)) >= maxOpen) {
    throw new AtriumError(
      'too_many_proposals',
      `You can have up to ${maxOpen} open proposals. Withdraw some, or wait until people have decided.`,
    );
  }
  const { kind, name, baseVersion } = proposed;
  const maySave =
    proposed.standing === undefined ? may(role, `${kind}.create`) : mayOn(proposed.standing, `${kind}.edit`);
  const program = await findProgram(transaction, actor);
  const id = newId();
  await insertProposal(transaction, {
    id,
    organizationId,
    kind,
    recordId: input.targetId ?? newId(),
    baseVersion,
    name,
    content: JSON.stringify(proposed.content),
    summary: summary.trim(),
    createdBy: userId,
    program: program?.name ?? null,
    // Without permission to save it themselves, people propose to those who have it, and so do service accounts.
    addresseeId: program?.isOfPerson === true && maySave ? userId : null,
    status: 'open',
    decidedBy: null,
    decidedAt: null,
    createdAt: timestamp(now),
    expiresAt: timestamp(now + expiresAfterMs),
  });
  const found = await requireProposal(transaction, clock, actor, { organizationId, proposalId: id });
  await auditProposal(transaction, clock, actor, 'created', found);
  return toDetails(found);
}

/** Returns the name of the program that the actor is, and whether it acts for a person; undefined for a person in a browser. */
async function findProgram(
  reader: Reader,
  actor: Actor,
): Promise<{ readonly name: string; readonly isOfPerson: boolean } | undefined> {
  if (actor.credential.kind !== 'token') return undefined;
  const account = await findAccountById(reader, actor.userId);
  if (account?.isServiceAccount === 1) return { name: account.name, isOfPerson: false };
  return { name: (await findTokenName(reader, actor)) ?? '', isOfPerson: true };
}

/** Lists the proposals of an organization that the actor has made or may decide, newest first. */
export async function listProposals(
  { database, clock }: Pick<ProposalDependencies, 'database' | 'clock'>,
  actor: Actor,
  { organizationId, status = 'open', recordId }: ProposalFilter,
  page: PageRequest,
): Promise<Page<Proposal>> {
  const viewer = await requireViewer(database, clock, actor, organizationId);
  const range = { status, recordId, before: page.after ?? '~', limit: page.limit };
  const found = await selectProposals(database, viewer, range);
  return toPage(mapRows(found, toProposal), ({ id }) => id);
}

interface ProposalFilter {
  readonly organizationId: string;
  readonly status?: ProposalStatus | undefined;
  /** Only proposals for this record. */
  readonly recordId?: string | undefined;
}

/** Returns a proposal that the actor has made or may decide. Throws `not_found`. */
export const getProposal = async (
  { database, clock }: Pick<ProposalDependencies, 'database' | 'clock'>,
  actor: Actor,
  key: ProposalKey,
): Promise<Proposal> => toDetails(await requireProposal(database, clock, actor, key));

/** Deletes an open proposal that the actor has made. Throws `not_found`, `forbidden` and `proposal_decided`. */
export async function withdrawProposal(
  { database, clock }: Pick<ProposalDependencies, 'database' | 'clock'>,
  actor: Actor,
  key: ProposalKey,
): Promise<void> {
  await database.write(async (transaction) => {
    const { createdBy } = await requireProposal(transaction, clock, actor, key);
    if (createdBy !== actor.userId) {
      throw new AtriumError('forbidden', 'Only the proposer can withdraw a proposal. You can decline it.');
    }
    await lockProposal(transaction, key.proposalId);
    const proposal = await requireProposal(transaction, clock, actor, key);
    requireOpenProposal(proposal);
    await deleteProposal(transaction, proposal.id);
    await auditProposal(transaction, clock, actor, 'withdrawn', proposal);
  });
}

/** Writes what happened to a proposal to the audit log. */
export async function auditProposal(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  what: 'created' | 'withdrawn' | 'accepted' | 'declined',
  proposal: Pick<Proposal, 'id' | 'name' | 'recordId' | 'kind'> & {
    readonly organizationId: string;
    readonly createdBy: string;
    readonly program: string | null;
  },
): Promise<void> {
  const { id, organizationId, kind, recordId, name, createdBy, program } = proposal;
  await recordAudit(transaction, clock, {
    organizationId,
    action: `proposal.${what}`,
    actor,
    details: {
      proposalId: id,
      name,
      [`${kind}Id`]: recordId,
      proposedBy: createdBy,
      ...(program !== null && { program }),
    },
  });
}

/** Deletes the proposals that have expired. */
export async function sweepProposals(database: Database, clock: Clock): Promise<void> {
  await database.writeSlowly((transaction) => deleteExpiredProposals(transaction, timestamp(clock())));
}
