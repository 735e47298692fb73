import type { Fault } from '#contract/problem.ts';
import type { ProposalInput } from '#contract/proposals.ts';
import { mayOn, type Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, invalidBody, invalidFaults, notFound } from '../base/errors.ts';
import { requireRecord, standingOf } from '../records/access.ts';
import { currentOf } from '../records/kind.ts';
import type { StoredRecord } from '../records/record.ts';
import type { Transaction } from '../storage/database.ts';
import type { ProposalKind } from './store.ts';
import { dashboardContent, reportContent, type ProposalTarget, type ProposalTargets } from './targets.ts';

/** A proposal for an organization. */
export type OrganizationProposal = ProposalInput & { readonly organizationId: string };

/** A valid content that is proposed. */
export interface ProposedContent {
  readonly kind: ProposalKind;
  readonly content: object;
  readonly name: string;
  /** Null if a new record is proposed. */
  readonly baseVersion: number | null;
  /** What decides whether the actor could save it; undefined if a new record is proposed. */
  readonly standing: Standing | undefined;
}

/** Returns the content of a proposal. Throws `not_found`, `body_too_large`, and `invalid_body` with every fault. */
export async function requireContent(
  transaction: Transaction,
  targets: ProposalTargets,
  actor: Actor,
  input: OrganizationProposal,
): Promise<ProposedContent> {
  const { report, dashboard } = input;
  if ((report === undefined) === (dashboard === undefined)) {
    throw invalidBody({ pointer: '', code: 'oneOf', message: 'must have either `report` or `dashboard`' });
  }
  if (report !== undefined)
    return propose(transaction, actor, targets.report, input, () => reportContent(report));
  if (dashboard !== undefined)
    return propose(transaction, actor, targets.dashboard, input, (base) => dashboardContent(dashboard, base));
  throw new Error('A proposal has either a report or a dashboard.');
}

async function propose<Content extends object, Stored extends StoredRecord>(
  transaction: Transaction,
  actor: Actor,
  target: ProposalTarget<Content, Stored>,
  input: OrganizationProposal,
  build: (base: Content | undefined) => Content,
): Promise<ProposedContent> {
  const { organizationId } = input;
  const { userId } = actor;
  const kind = target.kind.name;
  const base = await requireBase(transaction, actor, target, input);
  return locateFaults(`/${kind}`, async () => {
    const content = build(base?.content);
    await target.requireValid(transaction, { organizationId, userId, content, before: base?.current });
    if (base !== undefined && target.kind.content.isSame(content, base.content)) {
      throw invalidBody({ pointer: '', code: 'unchanged', message: 'must differ from the version' });
    }
    const { name } = content as Content & { readonly name: string };
    return { kind, content, name, baseVersion: base?.version ?? null, standing: base?.standing };
  });
}

interface Base<Content> {
  readonly version: number;
  readonly content: Content;
  readonly current: Content;
  readonly standing: Standing;
}

/** Returns the version that a proposal changes; undefined if it is a new record. */
async function requireBase<Content extends object, Stored extends StoredRecord>(
  transaction: Transaction,
  actor: Actor,
  { kind }: ProposalTarget<Content, Stored>,
  { organizationId, targetId, baseVersion }: OrganizationProposal,
): Promise<Base<Content> | undefined> {
  const fault = (code: string, message: string) => invalidBody({ pointer: '/baseVersion', code, message });
  if (targetId === undefined) {
    if (baseVersion === undefined) return undefined;
    throw fault('target', 'must only be given with `targetId`');
  }
  const record = await requireRecord(transaction, actor, kind, targetId);
  if (record.organizationId !== organizationId) throw notFound();
  if (baseVersion === undefined) throw fault('required', 'is required with `targetId`');
  const stored = currentOf(kind, record);
  const standing = standingOf(record, actor.userId);
  const found = { version: baseVersion, current: stored.content, standing };
  if (baseVersion === record.version) return { ...found, content: stored.content };
  // The history is only for people who may edit.
  const past = mayOn(standing, `${kind.name}.edit`)
    ? await kind.history.findContent(transaction, stored, baseVersion)
    : undefined;
  if (past !== undefined) return { ...found, content: past };
  throw fault('version', `must be a version that you may view; the current one is ${record.version}`);
}

/** Runs `check`, whose faults have pointers into the member of the body at `pointer`. */
async function locateFaults<Result>(pointer: string, check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof AtriumError) || error.faults === undefined) throw error;
    throw invalidFaults(error.faults.map((fault): Fault => ({ ...fault, pointer: pointer + fault.pointer })));
  }
}
