import type { Actor } from '../../base/actor.ts';
import { requireRecord, type Access } from '../../records/access.ts';
import type { Reader } from '../../storage/database.ts';
import { dashboardKind } from '../kind.ts';
import type { ReadableDashboard } from '../store.ts';

/** Returns a dashboard that the actor may see. Throws `not_found`, `sso_required`, and `forbidden` if the actor has less access. */
export const requireDashboard = (
  reader: Reader,
  actor: Actor,
  id: string,
  needed: Access = 'view',
): Promise<ReadableDashboard> => requireRecord(reader, actor, dashboardKind, id, needed);
