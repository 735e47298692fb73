import type { AccessLog } from '../access-log/access-log.ts';
import type { Actor } from '../base/actor.ts';

/** Counts a view of a dashboard in the data-access log of its organization. */
export const noteDashboardView = (
  { accessLog }: { readonly accessLog: AccessLog },
  actor: Actor,
  { id, organizationId }: { readonly id: string; readonly organizationId?: string | undefined },
): void => {
  const action = actor.credential.kind === 'display' ? 'display.viewed' : 'dashboard.viewed';
  accessLog.note({ action, actor, organizationId, subjectId: id });
};
