import type { DisplayLink, DisplayLinkInput, NewDisplayLink } from '#contract/dashboards/display.ts';
import { requireShared } from '../../access/sharing.ts';
import type { Actor, SessionActor } from '../../base/actor.ts';
import { parseTime, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError, invalidBody, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { hashToken, newToken } from '../../base/credentials/tokens.ts';
import { recordChange } from '../../records/audit.ts';
import { sharableRecords } from '../../records/sharing.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { listWithheldWidgets, type WithheldWidget } from '../results/withheld.ts';
import { dashboardKind } from '../kind.ts';
import { deleteLink, insertLink, selectLinks, type ListedLink } from './store.ts';

const maxLinks = 20;

/** The prefix by which people and secret scanners recognize the token of a display. */
export const displayTokenPrefix = 'atrium_display_';

interface LinkDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

export interface LinkCreationDependencies extends LinkDependencies {
  /** Throws `unauthenticated` if the session has ended, and locks the account, so that it doesn't end meanwhile. */
  readonly lockSession: (transaction: Transaction, actor: SessionActor) => Promise<unknown>;
}

const sharable = sharableRecords(dashboardKind);

/**
 * Creates a link for a wall display with the actor's access. Requires permission to share the dashboard. Throws
 * `personal_dashboard`, `too_many_display_links`, and `invalid_body` for a time in the past.
 */
export function createLink(
  { database, clock, lockSession }: LinkCreationDependencies,
  actor: SessionActor,
  { dashboardId, input }: { readonly dashboardId: string; readonly input: DisplayLinkInput },
): Promise<NewDisplayLink> {
  const { name, filters = '' } = input;
  return database.write(async (transaction) => {
    await lockSession(transaction, actor);
    // It locks the organization, so that two requests can't exceed the limit.
    const { record, organizationId } = await requireShared(transaction, actor, sharable, dashboardId);
    if (new URLSearchParams(filters).toString().includes('%00')) {
      throw invalidBody({ pointer: '/filters', code: 'text', message: 'must not contain U+0000' });
    }
    const now = clock();
    const expiresAt = input.expiresAt === undefined ? undefined : requireFuture(input.expiresAt, now);
    if ((await selectLinks(transaction, dashboardId)).length >= maxLinks) {
      throw new AtriumError(
        'too_many_display_links',
        `A dashboard can have up to ${maxLinks} links. Revoke one that is no longer used.`,
      );
    }
    const token = `${displayTokenPrefix}${newToken()}`;
    const id = newId();
    await insertLink(transaction, {
      id,
      tokenHash: hashToken(token),
      dashboardId,
      organizationId,
      name,
      filters,
      createdBy: actor.userId,
      method: actor.credential.method,
      satisfiesSso: Number(actor.satisfiesSso),
      createdAt: timestamp(now),
      expiresAt: expiresAt ?? null,
    });
    await recordChange(transaction, clock, actor, {
      kind: 'dashboard',
      action: 'display_link_created',
      record,
      details: { linkId: id, link: name, ...(expiresAt !== undefined && { expiresAt }) },
    });
    const created = (await selectLinks(transaction, dashboardId)).find((link) => link.id === id);
    const withheld = await listWithheldWidgets(transaction, record, actor.userId);
    // Sound because it was inserted above.
    return { ...toLink(created as ListedLink, withheld), token };
  });
}

function requireFuture(text: string, now: number): string {
  const timeMs = parseTime(text);
  if (timeMs !== undefined && timeMs > now) return timestamp(timeMs);
  throw invalidBody({ pointer: '/expiresAt', code: 'time', message: 'must be a time in the future' });
}

/** Lists the links of a dashboard, the newest first. Requires permission to share it. */
export async function listLinks(reader: Reader, actor: Actor, dashboardId: string): Promise<DisplayLink[]> {
  const dashboard = await requireDashboard(reader, actor, dashboardId, 'manage');
  if (dashboard.organizationId === undefined) return [];
  const withheldBy = new Map<string, WithheldWidget[]>();
  const links: DisplayLink[] = [];
  for (const link of await selectLinks(reader, dashboardId)) {
    const { createdBy } = link;
    const withheld = withheldBy.get(createdBy) ?? (await listWithheldWidgets(reader, dashboard, createdBy));
    withheldBy.set(createdBy, withheld);
    links.push(toLink(link, withheld));
  }
  return links;
}

const toLink = (
  { filters, expiresAt, lastUsedAt, ...link }: ListedLink,
  withheld: WithheldWidget[],
): DisplayLink => ({
  ...link,
  withheld,
  ...(filters !== '' && { filters }),
  ...(expiresAt !== null && { expiresAt }),
  ...(lastUsedAt !== null && { lastUsedAt }),
});

/** Revokes a link. Requires permission to share the dashboard. Throws `not_found`. */
export function revokeLink(
  { database, clock }: LinkDependencies,
  actor: Actor,
  { dashboardId, linkId }: { readonly dashboardId: string; readonly linkId: string },
): Promise<void> {
  return database.write(async (transaction) => {
    const { record } = await requireShared(transaction, actor, sharable, dashboardId);
    const link = (await selectLinks(transaction, dashboardId)).find(({ id }) => id === linkId);
    if (link === undefined) throw notFound();
    await deleteLink(transaction, { dashboardId, id: linkId });
    await recordChange(transaction, clock, actor, {
      kind: 'dashboard',
      action: 'display_link_revoked',
      record,
      details: { linkId, link: link.name },
    });
  });
}
