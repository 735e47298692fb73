import type { FastifyRequest } from 'fastify';
import type { Route } from '#contract/route.ts';
import { requirements } from '#contract/requirements.ts';
import type { Action } from '#shared/permissions.ts';
import type { Actor } from '../../base/actor.ts';

/** What an action is on. */
export interface Subject {
  readonly kind: 'organization' | 'dashboard' | 'report' | 'folder' | 'data source';
  readonly id: string;
}

/** Throws `not_found`, `forbidden` and so on unless the actor may take an action. */
export type Authorize = (actor: Actor, action: Action, subject: Subject) => Promise<void>;

/** A valid body of this size is validated in less time than rights are read from a database. */
const maxUncheckedBytes = 16 * 1024;

const kinds: Readonly<Record<string, Subject['kind']>> = {
  orgId: 'organization',
  dashboardId: 'dashboard',
  reportId: 'report',
  folderId: 'folder',
  dataSourceId: 'data source',
};

/**
 * Returns what checks the rights of a request before its body is validated, or undefined if the operation has no requirement. It
 * costs a query, so it runs only for large bodies, and for invalid ones before their faults are shown: the rules check rights anyway.
 */
export function earlyRights(
  route: Route,
  authorize: Authorize | undefined,
): ((request: FastifyRequest) => Promise<void>) | undefined {
  const action = requirements[route.id];
  if (action === undefined || authorize === undefined) return undefined;
  return async (request) => {
    const subject = subjectOf(request);
    if (request.actor !== undefined && subject !== undefined) await authorize(request.actor, action, subject);
  };
}

export const isLarge = ({ headers }: FastifyRequest): boolean =>
  // In pieces, a body has no length.
  Number(headers['content-length'] ?? Infinity) > maxUncheckedBytes;

/** Returns the record or organization in the path, or else the organization in the body, of which nothing else is read. */
function subjectOf({ params, body }: FastifyRequest): Subject | undefined {
  for (const [name, id] of Object.entries(params as Readonly<Record<string, string>>)) {
    const kind = kinds[name];
    if (kind !== undefined) return { kind, id };
  }
  if (typeof body !== 'object' || body === null || !('organizationId' in body)) return undefined;
  const { organizationId: id } = body;
  return typeof id === 'string' ? { kind: 'organization', id } : undefined;
}
