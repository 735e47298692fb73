import { Type, type TSchema } from 'typebox';
import { Dashboard, DashboardSummary } from '../dashboards/dashboards.ts';
import { Report, ReportSummary } from '../reports/reports.ts';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { page, PageQuery, Timestamp } from '../values.ts';

/** The fields of every item in the trash in addition to its summary. It can be restored until `purgeAt`. */
const deletion = {
  deletedAt: Timestamp,
  deletedBy: Type.String({ description: 'The user who deleted it' }),
  deletedByName: Type.String({ description: 'Empty if that user no longer exists' }),
  purgeAt: Type.String({
    ...Timestamp,
    description: 'When it will be deleted permanently: RFC 3339, UTC, milliseconds',
  }),
};

export const DeletedDashboard = Type.Object({ ...DashboardSummary.properties, ...deletion });
export const DeletedReport = Type.Object({ ...ReportSummary.properties, ...deletion });

const base = { tag: 'Trash', access: 'session' } as const;
const RecordParams = Type.Object({ id: Type.String() });

/** Returns the operations on the trash of one kind of record. */
function trashOperations<
  const Kind extends 'dashboard' | 'report',
  Deleted extends TSchema,
  Reply extends TSchema,
>(kind: Kind, deleted: Deleted, reply: Reply) {
  const title = kind === 'dashboard' ? 'Dashboard' : 'Report';
  return {
    list: defineRoute({
      ...base,
      id: `listDeleted${title}s`,
      summary: `List the deleted ${kind}s that you can restore, most recently deleted first`,
      description: `You can restore the ${kind}s that you could edit before they were deleted.`,
      method: 'GET',
      path: `/api/trash/${kind}s`,
      query: Type.Object({
        ...PageQuery,
        organizationId: Type.Optional(
          Type.String({
            ...GivenId,
            description: `Only ${kind}s of this organization; all that you can restore if left out`,
          }),
        ),
      }),
      status: 200,
      reply: page(deleted),
      problems: ['not_found'],
    }),
    restore: defineRoute({
      ...base,
      id: `restoreDeleted${title}`,
      summary: `Restore a ${kind} from the trash`,
      description: 'Its id, version, history and access stay the same. Requires permission to edit it.',
      method: 'POST',
      path: `/api/trash/${kind}s/{id}/restore`,
      params: RecordParams,
      status: 200,
      reply,
      replyHeaders: { ETag: 'The version of the record, the same as before' },
      problems: ['forbidden', 'not_found'],
    }),
    purge: defineRoute({
      ...base,
      id: `purge${title}`,
      summary: `Delete a ${kind} in the trash permanently`,
      description: 'Also deletes its history. Only its owner and the admins of its organization can do this.',
      method: 'DELETE',
      path: `/api/trash/${kind}s/{id}`,
      params: RecordParams,
      status: 204,
      problems: ['forbidden', 'not_found'],
    }),
  };
}

export type TrashOperations =
  | ReturnType<typeof trashOperations<'dashboard', TSchema, TSchema>>
  | ReturnType<typeof trashOperations<'report', TSchema, TSchema>>;

export const dashboardTrash = trashOperations('dashboard', DeletedDashboard, Dashboard);
export const reportTrash = trashOperations('report', DeletedReport, Report);
