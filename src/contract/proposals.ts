import { Type, type Static } from 'typebox';
import { DashboardEdit, Widget } from './dashboards/dashboards.ts';
import { ContentChange, MergeConflict } from './records/history.ts';
import { IdempotencyKey, idempotencyProblems } from './idempotency.ts';
import { ReportEdit } from './reports/reports.ts';
import { GivenId } from './limits.ts';
import { defineRoute } from './route.ts';
import { Id, page, PageQuery, RecordName, Timestamp } from './values.ts';

/** The most characters in the summary of a proposal. */
const maxSummaryLength = 2_000;

export const ProposalInput = Type.Object(
  {
    targetId: Type.Optional(
      Type.String({
        ...GivenId,
        description: 'The report or dashboard to change; omitted: the proposal is a new one',
      }),
    ),
    baseVersion: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Required with `targetId`: the version that the change starts from, as in its `ETag`',
      }),
    ),
    summary: Type.String({
      minLength: 1,
      maxLength: maxSummaryLength,
      description: 'What it is for, as plain text for the person who decides',
    }),
    report: Type.Optional({ ...ReportEdit, description: 'The whole report' }),
    dashboard: Type.Optional({
      ...DashboardEdit,
      description: 'The whole dashboard. Its widgets may show proposed reports, by their `recordId`',
    }),
  },
  {
    description: 'Either `report` or `dashboard`',
    examples: [
      {
        summary: 'Shows which months were late.',
        report: {
          dataSourceId: '0193f5a2-9a40-7c11-8e21-5f6a7b8c9d0e',
          name: 'Late orders by month',
          query: 'select month, count(*) as orders from orders where late group by month',
        },
      },
    ],
  },
);
export type ProposalInput = Static<typeof ProposalInput>;

const ProposalStatus = Type.Enum(['open', 'accepted', 'declined']);

/** A proposed dashboard, whose widgets have IDs. */
export const ProposedDashboard = Type.Object(
  { ...DashboardEdit.properties, widgets: Type.Array(Widget) },
  { description: 'The whole dashboard' },
);

/** What is proposed: one of the two. */
const content = {
  report: Type.Optional({ ...ReportEdit, description: 'The whole report' }),
  dashboard: Type.Optional(ProposedDashboard),
};

/** A proposal; in lists, it is without its content. */
export const Proposal = Type.Object({
  id: Id,
  organizationId: Id,
  kind: Type.Enum(['report', 'dashboard']),
  recordId: Type.String({
    ...Id,
    description:
      'The report or dashboard that it changes, or the ID that the new one gets once it is accepted',
  }),
  baseVersion: Type.Optional(
    Type.Integer({ description: 'The version that the change starts from; omitted: it is a new one' }),
  ),
  name: Type.String({ description: 'The proposed name of the report or dashboard' }),
  summary: Type.String({ description: 'Plain text by the proposer' }),
  createdBy: { ...RecordName, description: 'The account that made it' },
  program: Type.Optional(
    Type.String({ description: 'The name of the token of the program that wrote it; omitted for a person' }),
  ),
  status: ProposalStatus,
  decidedBy: Type.Optional({ ...RecordName, description: 'The person who accepted or declined it' }),
  decidedAt: Type.Optional(Timestamp),
  canDecide: Type.Boolean({ description: 'Whether you may accept or decline it' }),
  ...content,
  createdAt: Timestamp,
  expiresAt: { ...Timestamp, description: 'When it is deleted, whether it was decided or not' },
});
export type Proposal = Static<typeof Proposal>;

/** What accepting a proposal would store now. */
export const ProposalReview = Type.Object({
  version: Type.Optional(
    Type.Integer({ description: 'The current version of what it changes; omitted: it is a new one' }),
  ),
  ...content,
  changes: Type.Array(ContentChange, {
    description: 'What changes from the current version, or with conflicts from `baseVersion`',
  }),
  conflicts: Type.Array(MergeConflict, {
    description:
      'What others have changed since. With conflicts, the content is the proposed one, and it cannot be accepted',
  }),
});
export type ProposalReview = Static<typeof ProposalReview>;

const list = {
  tag: 'Proposals',
  access: 'session',
  path: '/api/organizations/{orgId}/proposals',
  params: Type.Object({ orgId: Type.String() }),
  problems: ['not_found'],
} as const;
const onePath = '/api/organizations/{orgId}/proposals/{proposalId}';
const one = {
  ...list,
  path: onePath,
  params: Type.Object({ orgId: Type.String(), proposalId: Type.String() }),
} as const;
const decisionProblems = ['forbidden', 'not_found', 'proposal_decided'] as const;
const acceptanceProblems = [...decisionProblems, 'proposal_target_deleted', 'quota_exceeded'] as const;

export const createProposal = defineRoute({
  ...list,
  id: 'createProposal',
  summary: 'Propose a new report or dashboard, or a change',
  description:
    'Requires permission to view what it changes and to query the data source. Nothing changes until a person accepts it in the ' +
    'browser: the owner of the token, or people who may make the change. You can have up to 50 open proposals; they expire after 30 days.',
  method: 'POST',
  headers: IdempotencyKey,
  body: ProposalInput,
  status: 201,
  reply: Proposal,
  problems: ['forbidden', 'not_found', 'too_many_proposals', 'quota_exceeded', ...idempotencyProblems],
});

export const listProposals = defineRoute({
  ...list,
  id: 'listProposals',
  summary: 'List proposals, newest first',
  description: 'Yours and those that you may decide; for a token, those of its owner.',
  method: 'GET',
  query: Type.Object({
    ...PageQuery,
    status: Type.Optional(Type.Enum(['open', 'accepted', 'declined'], { description: 'Omitted: `open`' })),
    'record-id': Type.Optional(
      Type.String({ ...GivenId, description: 'Only proposals for this report or dashboard' }),
    ),
  }),
  status: 200,
  reply: page(Proposal),
});

export const getProposal = defineRoute({
  ...one,
  id: 'getProposal',
  summary: 'Read a proposal',
  description: 'Yours, or one that you may decide.',
  method: 'GET',
  status: 200,
  reply: Proposal,
});

export const withdrawProposal = defineRoute({
  ...one,
  id: 'withdrawProposal',
  summary: 'Withdraw your open proposal',
  description: 'It is deleted.',
  method: 'DELETE',
  status: 204,
  problems: decisionProblems,
});

export const reviewProposal = defineRoute({
  ...one,
  id: 'reviewProposal',
  summary: 'Compare a proposal with what it changes',
  description: 'For people who may decide it.',
  method: 'GET',
  path: `${onePath}/review`,
  status: 200,
  reply: ProposalReview,
  problems: acceptanceProblems,
});

export const acceptProposal = defineRoute({
  ...one,
  id: 'acceptProposal',
  summary: 'Accept a proposal',
  description:
    'Stores it with your permissions and in your name. If others have saved since, their changes and the proposed ones are merged. ' +
    'What a proposal creates is in the folder that you name, with its access from the first moment.',
  method: 'POST',
  path: `${onePath}/accept`,
  query: Type.Object({
    folderId: Type.Optional(
      Type.String({
        ...GivenId,
        description:
          'The folder in which a new report or dashboard is created; you must be able to edit it. By default, it is in no folder. ' +
          'Must be left out if the proposal changes something, which stays where it is.',
      }),
    ),
  }),
  status: 200,
  reply: Proposal,
  problems: [...acceptanceProblems, 'edit_conflict'],
});

export const declineProposal = defineRoute({
  ...one,
  id: 'declineProposal',
  summary: 'Decline a proposal',
  description: 'It stays in the list of declined proposals until it expires.',
  method: 'POST',
  path: `${onePath}/decline`,
  status: 200,
  reply: Proposal,
  problems: decisionProblems,
});
