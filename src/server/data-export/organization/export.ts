import type { Readable } from 'node:stream';
import type { DataExportContents } from '#contract/organizations/data-export.ts';
import { eachRow } from '../../base/paging.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import { readGrants } from '../../access-review/review.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/credentials/confirmation.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
import { holdingFiles } from '../../data-sources/tables/leases.ts';
import type { ExportOwner, ExportSlots } from '../../exports/slots.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { findOpenSessions } from '../../sessions/sessions.ts';
import { createArchive, type Archive } from '../archive/archive.ts';
import { addContent, type ContentDependencies } from './content.ts';
import { dataExportLimits } from './limits.ts';
import { countContents, findOrganization } from './queries.ts';
import { readmeOf } from './readme.ts';

export interface DataExportDependencies extends ContentDependencies {
  readonly accessLog: AccessLog;
  readonly slots: ExportSlots;
  /** After how long a download ends; by default, that of `dataExportLimits`. */
  readonly maxDurationMs?: number;
}

/** Returns what the export of an organization would have. Requires an owner. */
export async function describeExport(
  { database }: Pick<DataExportDependencies, 'database'>,
  actor: Actor,
  organizationId: string,
): Promise<DataExportContents> {
  const reader = await database.findReader();
  await requirePermission(reader, actor, organizationId, 'organization.export');
  return countContents(reader, organizationId);
}

/** Throws what `exportOrganization` would throw now, so that a page can show it before the browser downloads the archive. */
export async function requireReady(
  { database, clock, slots }: DataExportDependencies,
  actor: Actor,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<void> {
  await requirePermission(database, actor, organizationId, 'organization.export');
  requireConfirmation(actor, clock);
  await slots.run(ownerOf(actor, organizationId), signal, () => Promise.resolve());
}

/**
 * Returns everything of an organization as an archive that is made while it is read, after both logs have recorded it. It ends with
 * an error if the person is no longer an owner or signed in, or if it takes too long. Requires an owner with a recent confirmation. Throws
 * `confirmation_required`, and `exports_busy` if another export of the organization or the person runs, or too many others.
 */
export async function exportOrganization(
  dependencies: DataExportDependencies,
  actor: Actor,
  { organizationId, signal: left }: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<{ readonly name: string; readonly archive: Readable }> {
  const { database, clock, accessLog, slots, maxDurationMs = dataExportLimits.maxDurationMs } = dependencies;
  await requirePermission(database, actor, organizationId, 'organization.export');
  requireConfirmation(actor, clock);
  const started = Promise.withResolvers<{ readonly name: string; readonly archive: Readable }>();
  const run = async (): Promise<void> => {
    const organization = await findOrganization(database, organizationId);
    if (organization === undefined) throw notFound();
    await accessLog.record({ action: 'organization.exported', actor, organizationId });
    await database.write((transaction) =>
      recordAudit(transaction, clock, { organizationId, action: 'organization.exported', actor }),
    );
    const { name } = organization;
    const signal = AbortSignal.any([left, AbortSignal.timeout(maxDurationMs)]);
    const requireStill = () => requireStillAllowed(dependencies, actor, organizationId);
    const archive = archiveOf(dependencies, { organizationId, name, signal }, async (to) => {
      const checked = checking(to, requireStill);
      const faults = await addContent(checked, dependencies, { organizationId, signal });
      await checked.addLines(
        { name: 'access-review', ending: 'ndjson' },
        eachRow(keyOfOrganization(organizationId), (last?: { readonly id: string }) =>
          readGrants({ reader: database, clock }, actor, { organizationId }, last?.id),
        ),
      );
      return faults;
    });
    const closed = new Promise<void>((resolve) => archive.once('close', resolve));
    started.resolve({ name, archive });
    await closed;
  };
  slots.run(ownerOf(actor, organizationId), left, run).catch(started.reject);
  return started.promise;
}

const ownerOf = ({ userId }: Actor, organizationId: string): ExportOwner => ({
  tenant: { kind: 'organization', organizationId },
  userId,
});

/** Returns the archive of an organization; `write` adds what is in it, and returns what is missing. */
export function archiveOf(
  { database, clock }: Pick<DataExportDependencies, 'database' | 'clock'>,
  {
    organizationId,
    name,
    signal,
  }: { readonly organizationId: string; readonly name: string; readonly signal: AbortSignal },
  write: (archive: Archive) => Promise<readonly object[]>,
): Readable {
  const exportedAt = clock();
  return createArchive({
    about: {
      format: 'atrium.organization-export',
      formatVersion: 1,
      organization: { id: organizationId, name },
    },
    exportedAt,
    signal,
    async write(archive) {
      await archive.addText({ name: 'README', ending: 'txt' }, readmeOf(name, timestamp(exportedAt)));
      const faults = await holdingFiles(database, clock, { exportOf: organizationId }, () => write(archive));
      return { finishedAt: timestamp(clock()), faults };
    },
  });
}

/** Throws unless the person is still an owner, in the same session. */
async function requireStillAllowed(
  { database, clock }: DataExportDependencies,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  await requirePermission(database, actor, organizationId, 'organization.export');
  const { id } = actor.credential;
  const exceeded = (await findOpenSessions(database, clock, [id])).get(id);
  if (exceeded === undefined || exceeded.includes(organizationId))
    throw new AtriumError('unauthenticated', 'The session has ended.');
}

/** After how many lines or pieces of a file the person's rights are checked again. */
const checkEvery = 1_000;

/** Checks before each file, and from time to time in it. */
function checking(archive: Archive, check: () => Promise<void>): Archive {
  async function* checked<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
    await check();
    let count = 0;
    for await (const item of items) {
      yield item;
      count += 1;
      if (count % checkEvery === 0) await check();
    }
  }
  return {
    async addText(path, text) {
      await check();
      return archive.addText(path, text);
    },
    async addJson(path, value) {
      await check();
      return archive.addJson(path, value);
    },
    addLines: (path, values) => archive.addLines(path, checked(values)),
    addBytes: (path, bytes, options) => archive.addBytes(path, checked(bytes), options),
  };
}
