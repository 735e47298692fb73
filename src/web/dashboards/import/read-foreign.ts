import { ImportError, maxFileSize } from '#shared/importers/conversion.ts';
import { detectForeign, type ForeignFile } from '#shared/importers/detect.ts';
import { t } from '#shared/language/messages.ts';

/**
 * Returns what converts the files that people chose: a JSON file of Grafana, the archive of an export of Metabase, or its files;
 * undefined if they are nothing of these. Throws `ImportError`.
 */
export async function readForeign(chosen: readonly File[]): Promise<ForeignFile | undefined> {
  const [first] = chosen;
  if (first === undefined) return undefined;
  if (chosen.length > 1 || /[.]ya?ml$/i.test(first.name)) return readCollection(chosen);
  if (/[.](gz|tgz)$/i.test(first.name)) {
    const { maxArchiveSize, readArchive } = await import('#shared/importers/metabase/archive.ts');
    const { detectCollection } = await import('#shared/importers/metabase/collection.ts');
    if (first.size > maxArchiveSize) throw new ImportError(t('The archive is larger than 64 MiB.'));
    return detectCollection(await readArchive(first.stream()));
  }
  // Before it is read: a large file would fill the memory.
  if (first.size > maxFileSize) throw new ImportError(t('The file is larger than 4 MiB.'));
  return detectForeign(await first.text());
}

/** The parser of YAML is only loaded for exports of Metabase. */
async function readCollection(chosen: readonly File[]): Promise<ForeignFile | undefined> {
  const { CollectionFiles, detectCollection, isOfCollection } =
    await import('#shared/importers/metabase/collection.ts');
  const collection = new CollectionFiles();
  for (const file of chosen) {
    // Empty for files that were not chosen with their folder.
    const path = file.webkitRelativePath;
    if (!(path === '' ? /[.]ya?ml$/i.test(file.name) : isOfCollection(path))) continue;
    collection.requireRoom(path || file.name, file.size);
    collection.add({ path: path || file.name, text: await file.text() });
  }
  return detectCollection(collection);
}
