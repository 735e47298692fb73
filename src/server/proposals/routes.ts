import * as contract from '#contract/proposals.ts';
import { pageRequest } from '../base/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import { acceptProposal, declineProposal, reviewProposal } from './decisions.ts';
import {
  addProposal,
  getProposal,
  listProposals,
  withdrawProposal,
  type ProposalDependencies,
} from './proposals.ts';
import { requireProposal } from './visible.ts';

export function serveProposals(
  serve: Serve,
  dependencies: ProposalDependencies & { readonly createOnce: CreateOnce },
): void {
  const { clock, createOnce } = dependencies;
  const keyOf = ({ orgId, proposalId }: { orgId: string; proposalId: string }) => ({
    organizationId: orgId,
    proposalId,
  });
  serve(contract.createProposal, ({ actor, params, body }, reply) =>
    createOnce<contract.Proposal, contract.Proposal>(reply, actor, {
      create: (transaction) =>
        addProposal(transaction, dependencies, actor, { ...body, organizationId: params.orgId }),
      respond: (created) => created,
      requireReadable: (reader, proposalId) =>
        requireProposal(reader, clock, actor, { organizationId: params.orgId, proposalId }),
    }),
  );
  serve(contract.listProposals, ({ actor, params, query }) =>
    listProposals(
      dependencies,
      actor,
      { organizationId: params.orgId, status: query.status, recordId: query['record-id'] },
      pageRequest(query),
    ),
  );
  serve(contract.getProposal, ({ actor, params }) => getProposal(dependencies, actor, keyOf(params)));
  serve(contract.withdrawProposal, async ({ actor, params }) => {
    await withdrawProposal(dependencies, actor, keyOf(params));
    return undefined;
  });
  serve(contract.reviewProposal, ({ actor, params }) => reviewProposal(dependencies, actor, keyOf(params)));
  serve(contract.acceptProposal, ({ actor, params, query }) =>
    acceptProposal(dependencies, actor, { ...keyOf(params), folderId: query.folderId }),
  );
  serve(contract.declineProposal, ({ actor, params }) => declineProposal(dependencies, actor, keyOf(params)));
}
