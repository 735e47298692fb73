import type { Proposal, ProposalReview } from '#contract/proposals.ts';
import type { SessionActor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { parseJson } from '../base/texts/json.ts';
import { requireFolderOf } from '../folders/creation.ts';
import { requirePermissionToChange } from '../organizations/authorization.ts';
import { requireRecord, requireRecordToChange } from '../records/access.ts';
import { editInTransaction } from '../records/edit.ts';
import { currentOf } from '../records/kind.ts';
import type { StoredRecord } from '../records/record.ts';
import { recordProposer } from '../records/versions/proposers.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { auditProposal, type ProposalDependencies } from './proposals.ts';
import { lockProposal, setDecision } from './store.ts';
import type { ProposalTarget, ProposalTargets } from './targets.ts';
import {
  requireOpenProposal,
  requireProposal,
  toProposal,
  type FoundProposal,
  type ProposalKey,
} from './visible.ts';

/** A kind of records whose contents are only passed on. */
type AnyTarget = ProposalTarget<object, StoredRecord>;

/** Returns what accepting a proposal would store. Throws `not_found`, `forbidden`, `proposal_decided` and `proposal_target_deleted`. */
export async function reviewProposal(
  { database, clock, targets }: ProposalDependencies,
  actor: SessionActor,
  key: ProposalKey,
): Promise<ProposalReview> {
  const proposal = await requireProposal(database, clock, actor, key);
  requireDecidable(proposal);
  const { kind } = targetOf(targets, proposal);
  const mine = contentOf(proposal);
  if (proposal.baseVersion === null) return { [proposal.kind]: mine, changes: [], conflicts: [] };
  await requireInUse(database, actor, kind, proposal);
  const current = currentOf(kind, await requireRecord(database, actor, kind, proposal.recordId, 'edit'));
  const { version, content: theirs } = current;
  const base = await kind.history.findContent(database, current, proposal.baseVersion);
  // Sound because versions are only deleted with their record.
  const { merged, conflicts } = kind.content.merge(base as object, mine, theirs);
  const isClean = conflicts.length === 0;
  return {
    version,
    [proposal.kind]: isClean ? merged : mine,
    changes: isClean ? kind.describeChanges(theirs, merged) : kind.describeChanges(base as object, mine),
    conflicts,
  };
}

/**
 * Accepts a proposal: stores it as if the person had saved it, merged with what others have saved since, or creates it in a folder
 * that the person may edit. Throws `not_found`, `forbidden`, `proposal_decided`, `proposal_target_deleted`, `edit_conflict`,
 * `invalid_parameters` for a folder of what exists, and `invalid_body` if it is no longer valid.
 */
export function acceptProposal(
  { database, clock, targets }: ProposalDependencies,
  actor: SessionActor,
  { folderId, ...key }: ProposalKey & { readonly folderId?: string | undefined },
): Promise<Proposal> {
  return database.write(async (transaction) => {
    const proposal = await requireToDecide(transaction, clock, actor, key);
    const version = await store(transaction, clock, actor, targetOf(targets, proposal), {
      proposal,
      folderId,
    });
    if (version !== undefined) {
      await recordProposer(
        transaction,
        { kind: proposal.kind, recordId: proposal.recordId, version },
        { userId: proposal.createdBy, program: proposal.program ?? undefined },
      );
    }
    return decide(transaction, clock, actor, proposal, 'accepted');
  });
}

/** Declines a proposal. Throws `not_found`, `forbidden` and `proposal_decided`. */
export function declineProposal(
  { database, clock }: Pick<ProposalDependencies, 'database' | 'clock'>,
  actor: SessionActor,
  key: ProposalKey,
): Promise<Proposal> {
  return database.write(async (transaction) => {
    const proposal = await requireToDecide(transaction, clock, actor, key);
    return decide(transaction, clock, actor, proposal, 'declined');
  });
}

/** Stores what a proposal contains. Returns the number of the new version, or undefined if the record already has this content. */
async function store(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  target: AnyTarget,
  { proposal, folderId }: { readonly proposal: FoundProposal; readonly folderId: string | undefined },
): Promise<number | undefined> {
  const { id: proposalId, recordId: id, organizationId, baseVersion } = proposal;
  const { kind } = target;
  const content = contentOf(proposal);
  if (baseVersion === null) {
    if (folderId !== undefined) {
      // It locks the organization, so that the folder isn't moved, deleted or shared otherwise in the meantime.
      await requirePermissionToChange(transaction, actor, organizationId, `${kind.name}.create`);
      await requireFolderOf(transaction, actor, { organizationId, folderId });
    }
    const { createdBy: proposedBy } = proposal;
    const input = { id, organizationId, content, proposedBy, folderId };
    return (await target.create(transaction, clock, actor, input)).version;
  }
  if (folderId !== undefined) throw folderOfChange();
  await requireInUse(transaction, actor, kind, proposal);
  const before = await requireRecordToChange(transaction, actor, kind, { id, needed: 'edit' });
  const outcome = await editInTransaction(transaction, clock, actor, kind, {
    id,
    expected: [baseVersion],
    body: { proposalId },
    draft: () => content,
    proposedBy: proposal.createdBy,
  });
  if (outcome.kind === 'conflict') {
    throw new AtriumError(
      'edit_conflict',
      'Others have changed the same parts since this was proposed. Nothing was saved. Edit the proposal first, or decline it.',
    );
  }
  return outcome.record.version === before.version ? undefined : outcome.record.version;
}

const folderOfChange = (): AtriumError =>
  new AtriumError(
    'invalid_parameters',
    '`folderId` must be left out: the proposal changes something, which stays where it is.',
  );

/** Throws `proposal_target_deleted` if the record is in the trash. */
async function requireInUse(
  reader: Reader,
  { userId }: SessionActor,
  kind: AnyTarget['kind'],
  { recordId: id }: FoundProposal,
): Promise<void> {
  if ((await kind.findReadable(reader, { id, userId, place: 'in the trash' })) === undefined) return;
  throw new AtriumError(
    'proposal_target_deleted',
    `The ${kind.name} that this proposal changes is in the trash. Restore it first, or decline the proposal.`,
  );
}

/** Returns an open proposal that the actor may decide, and locks it. */
async function requireToDecide(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  key: ProposalKey,
): Promise<FoundProposal> {
  // Before the lock, so that nobody else can take it.
  requireDecidable(await requireProposal(transaction, clock, actor, key));
  await lockProposal(transaction, key.proposalId);
  const proposal = await requireProposal(transaction, clock, actor, key);
  requireDecidable(proposal);
  return proposal;
}

function requireDecidable(proposal: FoundProposal): void {
  if (!proposal.mayDecide) {
    throw new AtriumError(
      'forbidden',
      'Only people who can save this themselves can accept or decline it. You can withdraw your own proposal.',
    );
  }
  requireOpenProposal(proposal);
}

async function decide(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  proposal: FoundProposal,
  status: 'accepted' | 'declined',
): Promise<Proposal> {
  const { id, organizationId } = proposal;
  const decidedAt = timestamp(clock());
  await setDecision(transaction, { id, status, decidedBy: actor.userId, decidedAt });
  await auditProposal(transaction, clock, actor, status, proposal);
  const key = { organizationId, proposalId: id };
  return toProposal(await requireProposal(transaction, clock, actor, key));
}

const targetOf = (targets: ProposalTargets, { kind }: FoundProposal): AnyTarget => targets[kind];

const contentOf = ({ content }: FoundProposal): object => parseJson(content) as object;
