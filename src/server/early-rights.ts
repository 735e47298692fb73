import type { Action } from '#shared/permissions.ts';
import type { Actor } from './base/actor.ts';
import { requireDashboard } from './dashboards/access/access.ts';
import { editSource, requireDataSource } from './data-sources/access.ts';
import { requireFolder } from './folders/access.ts';
import type { Authorize, Subject } from './http/request/early-rights.ts';
import { requirePermission } from './organizations/authorization.ts';
import type { Access } from './records/access.ts';
import { requireReport } from './reports/access.ts';
import type { Database } from './storage/database.ts';

/** Returns what checks rights by the rules of the features, before a body is validated. */
export const createAuthorize =
  (database: Database): Authorize =>
  async (actor, action, subject) => {
    await requireRight(database, actor, action, subject);
  };

function requireRight(
  database: Database,
  actor: Actor,
  action: Action,
  { kind, id }: Subject,
): Promise<unknown> {
  switch (kind) {
    case 'organization':
      return requirePermission(database, actor, id, action);
    case 'dashboard':
      return requireDashboard(database, actor, id, accessOf(action));
    case 'report':
      return requireReport(database, actor, id, accessOf(action));
    case 'folder':
      return requireFolder(database, actor, id, accessOf(action));
    case 'data source':
      return requireDataSource(
        database,
        actor,
        id,
        action === 'data_source.edit_files' ? editSource : action,
      );
    default:
      return kind satisfies never;
  }
}

/** Returns what an action on a record, such as `report.edit`, requires. */
function accessOf(action: Action): Access {
  const [, access] = action.split('.');
  if (access === 'view' || access === 'edit' || access === 'manage') return access;
  throw new Error(`${action} is not an action on a record.`);
}
