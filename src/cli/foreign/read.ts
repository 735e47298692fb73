import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { ImportError, maxFileSize } from '#shared/importers/conversion.ts';
import { detectForeign, type ForeignFile } from '#shared/importers/detect.ts';
import { maxArchiveSize, readArchive } from '#shared/importers/metabase/archive.ts';
import { CollectionFiles, detectCollection, isOfCollection } from '#shared/importers/metabase/collection.ts';

/**
 * Returns what converts a dashboard of Grafana, or an export of Metabase: its directory, or the archive of it. Links in a directory
 * aren't followed. Throws `ImportError`, or the error of the file system.
 */
export async function readForeign(path: string): Promise<ForeignFile> {
  const stats = statSync(path);
  if (stats.isDirectory()) return required(detectCollection(readCollection(path)), path);
  if (isArchive(path)) {
    if (stats.size > maxArchiveSize) throw new ImportError('The archive is larger than 64 MiB.');
    // Sound because a stream of a file yields buffers.
    const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>;
    return required(detectCollection(await readArchive(bytes)), path);
  }
  if (stats.size > maxFileSize) throw new ImportError('The file is larger than 4 MiB.');
  return required(detectForeign(readFileSync(path, 'utf8')), path);
}

const isArchive = (path: string): boolean => /[.](tar[.]gz|tgz)$/i.test(path);

function required(file: ForeignFile | undefined, path: string): ForeignFile {
  if (file === undefined)
    throw new ImportError(`${path} is not a dashboard of Grafana, and not an export of Metabase.`);
  return file;
}

function readCollection(directory: string): CollectionFiles {
  const collection = new CollectionFiles();
  for (const entry of readdirSync(join(directory, 'collections'), { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const inside = relative(directory, path);
    if (!entry.isFile() || !isOfCollection(inside)) continue;
    collection.requireRoom(inside, statSync(path).size);
    collection.add({ path: inside, text: readFileSync(path, 'utf8') });
  }
  return collection;
}
