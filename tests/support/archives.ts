import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Returns the files of a ZIP archive by their paths. Rejects if it isn't complete, or if a path leads out of the archive. */
export async function readArchive(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true, strictFileNames: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}
