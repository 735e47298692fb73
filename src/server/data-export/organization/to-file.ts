import { createWriteStream, type WriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { recordAudit } from '../../audit/audit.ts';
import { notFound } from '../../base/errors.ts';
import { syncPath } from '../../storage/file-facts.ts';
import { addContent, type ContentDependencies } from './content.ts';
import { archiveOf } from './export.ts';
import { findOrganization } from './queries.ts';

/**
 * Writes everything of an organization to a new file, for the operator of the server, which the audit log records. The file has its
 * name only once it is complete. Rejects if the file exists, or if the disk is full.
 */
export async function exportToFile(
  dependencies: ContentDependencies,
  {
    organizationId,
    path,
    createFile = createWriteStream,
  }: {
    readonly organizationId: string;
    readonly path: string;
    readonly createFile?: (path: string, options: { flags: 'wx'; mode: number }) => WriteStream;
  },
): Promise<void> {
  const { database, clock } = dependencies;
  const organization = await findOrganization(database, organizationId);
  if (organization === undefined) throw notFound();
  const { signal } = new AbortController();
  const unfinished = `${path}.unfinished`;
  const output = createFile(unfinished, { flags: 'wx', mode: 0o600 });
  const { name } = organization;
  const archive = archiveOf(dependencies, { organizationId, name, signal }, async (to) => {
    await database.write((transaction) =>
      recordAudit(transaction, clock, { organizationId, action: 'organization.exported' }),
    );
    return addContent(to, dependencies, { organizationId, signal });
  });
  let isCreated = false;
  output.once('open', () => (isCreated = true));
  try {
    await pipeline(archive, output);
    await syncPath(unfinished);
    // Unlike a rename, this never replaces a file.
    await link(unfinished, path);
  } finally {
    if (isCreated) await rm(unfinished, { force: true });
  }
}
