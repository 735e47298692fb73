import { Type, type Static } from 'typebox';
import type { Proposal as StoredProposal, ProposalInput } from '#contract/proposals.ts';
import { invalidBody } from '../../base/errors.ts';
import { createProposal } from '../../proposals/proposals.ts';
import { proposalUrl } from '../addresses.ts';
import type { ToolCall, ToolDependencies } from '../tool.ts';
import { Time, Url } from './fields.ts';

/** What each proposal says for the person who decides. */
export const Summary = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'What it is for and what it is based on, in plain text for the person who decides',
});

export const BaseVersion = Type.Integer({
  minimum: 1,
  description: 'The version that you have read. Required for a change',
});

export const Proposed = Type.Object({
  proposal: Type.Object({
    id: Type.String(),
    kind: Type.String(),
    recordId: Type.String({
      description: 'The ID that it has or gets. Widgets that you propose may show a proposed report by it',
    }),
    name: Type.String(),
    status: Type.String(),
    expiresAt: Time,
    url: { ...Url, description: 'Where a person compares, accepts or declines it: give it to them' },
  }),
});

/** Stores a proposal. Throws what `createProposal` throws. */
export async function propose(
  dependencies: ToolDependencies,
  { actor, organizationId }: ToolCall,
  input: ProposalInput,
): Promise<Static<typeof Proposed>> {
  const stored: StoredProposal = await createProposal(dependencies, actor, { ...input, organizationId });
  const { id, kind, recordId, name, status, expiresAt } = stored;
  const url = proposalUrl(dependencies.publicUrl, organizationId, id);
  return { proposal: { id, kind, recordId, name, status, expiresAt, url } };
}

/** Throws `invalid_body` unless a change starts from the current version, which it is made from. */
export function requireCurrent(
  baseVersion: number | undefined,
  { version }: { readonly version: number },
): void {
  if (baseVersion === version) return;
  throw invalidBody({
    pointer: '/baseVersion',
    code: baseVersion === undefined ? 'required' : 'version',
    message:
      baseVersion === undefined
        ? 'is required for a change: the version that you have read'
        : `must be the current version, ${version}. Read it again: someone has changed it`,
  });
}
