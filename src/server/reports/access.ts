import type { Actor } from '../base/actor.ts';
import { requireRecord, type Access } from '../records/access.ts';
import type { Reader } from '../storage/database.ts';
import { storedReports } from './kind.ts';
import type { ReadableReport } from './store.ts';

/** A report that an actor was found to have access to. */
export type RequiredReport = ReadableReport;

/** Returns a report of an organization that the actor is a member of. Throws `not_found`, `sso_required` and `forbidden`. */
export const requireReport = (
  reader: Reader,
  actor: Actor,
  id: string,
  needed: Access = 'view',
): Promise<RequiredReport> => requireRecord(reader, actor, storedReports, id, needed);
