import { Type, type TSchema } from 'typebox';
import { Dashboard, Widget } from '../dashboards/dashboards.ts';
import { ContentChange, IfMatch, RecordVersion, versionHead, VersionNumber } from './history.ts';
import { Report, ReportEdit } from '../reports/reports.ts';
import { defineRoute } from '../route.ts';
import { page, PageQuery } from '../values.ts';

/** A version with its content. */
export const DashboardVersion = Type.Object({
  ...versionHead,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  widgets: Type.Array(Widget),
});
export const ReportVersion = Type.Object({ ...versionHead, ...ReportEdit.properties });

/** Returns the operations on the versions of one kind of record. */
function versionOperations<
  const Kind extends 'dashboard' | 'report',
  Version extends TSchema,
  Reply extends TSchema,
>(kind: Kind, version: Version, reply: Reply) {
  const title = kind === 'dashboard' ? 'Dashboard' : 'Report';
  const base = {
    tag: `${title} history`,
    access: 'session',
    method: 'GET',
    problems: ['forbidden', 'not_found'],
  } as const;
  const path = `/api/${kind}s/{${kind}Id}` as const;
  const parameter = { [`${kind}Id`]: Type.String() } as Record<`${Kind}Id`, ReturnType<typeof Type.String>>;
  const RecordParams = Type.Object(parameter);
  const VersionParams = Type.Object({ ...parameter, version: VersionNumber });
  return {
    list: defineRoute({
      ...base,
      id: `list${title}Versions`,
      summary: `List the versions of a ${kind}, newest first`,
      description: `Requires permission to edit the ${kind}.`,
      path: `${path}/versions`,
      params: RecordParams,
      query: Type.Object(PageQuery),
      status: 200,
      reply: page(RecordVersion),
    }),
    get: defineRoute({
      ...base,
      id: `get${title}Version`,
      summary: `Read a version of a ${kind}`,
      description: `Requires permission to edit the ${kind}.`,
      path: `${path}/versions/{version}`,
      params: VersionParams,
      status: 200,
      reply: version,
    }),
    restore: defineRoute({
      ...base,
      id: `restore${title}Version`,
      summary: 'Create a version with the content of an old one',
      description: '`If-Match` is optional here, since the replaced content stays in the history.',
      method: 'POST',
      path: `${path}/versions/{version}/restore`,
      params: VersionParams,
      headers: IfMatch,
      status: 200,
      reply,
      replyHeaders: { ETag: 'The new version' },
      problems: [...base.problems, 'unknown_version', 'quota_exceeded'],
    }),
    compare: defineRoute({
      ...base,
      id: `compare${title}Versions`,
      summary: `List what changed from one version of a ${kind} to another`,
      description:
        'Each change is a sentence with the values before and after. `to` defaults to the newest version.',
      path: `${path}/changes`,
      params: RecordParams,
      query: Type.Object({ from: VersionNumber, to: Type.Optional(VersionNumber) }),
      status: 200,
      reply: Type.Object({ items: Type.Array(ContentChange) }),
    }),
  };
}

export type VersionOperations =
  | ReturnType<typeof versionOperations<'dashboard', TSchema, TSchema>>
  | ReturnType<typeof versionOperations<'report', TSchema, TSchema>>;

export const dashboardVersions = versionOperations('dashboard', DashboardVersion, Dashboard);
export const reportVersions = versionOperations('report', ReportVersion, Report);
