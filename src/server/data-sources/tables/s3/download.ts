import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncPath } from '../../../storage/file-facts.ts';
import type { WantedFile } from '../files.ts';
import { downloadEnding, type FileCache } from './cache.ts';
import { StorageError, toStorageError } from './errors.ts';
import { allowedMs, type ObjectLimits, type Objects } from './objects.ts';

/**
 * Copies an object to `path`, under a temporary name until it is complete, has the right checksum and is flushed to disk.
 * Throws `StorageError`.
 */
export async function download(
  { objects, cache, limits }: { objects: Objects; cache: FileCache; limits: ObjectLimits },
  { key, file }: { readonly key: string; readonly file: WantedFile },
  stopped: AbortSignal,
): Promise<void> {
  const ending = new AbortController();
  const { path } = file;
  const draft = path + downloadEnding;
  try {
    const object = await objects.open(key, AbortSignal.any([stopped, ending.signal]));
    const { body, sizeBytes } = object;
    // Read by the pipeline below, unless that isn't reached.
    body.on('error', () => undefined);
    requireEqual(key, 'size', sizeBytes, file.sizeBytes);
    await cache.withSpace(sizeBytes, async () => {
      await mkdir(dirname(path), { recursive: true });
      const hash = createHash('sha256');
      const watch = watchProgress(sizeBytes, limits);
      try {
        await pipeline(
          body,
          async function* hashing(chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              watch.progress();
              hash.update(chunk);
              yield chunk;
            }
          },
          createWriteStream(draft, { mode: 0o600, flush: true }),
          { signal: AbortSignal.any([stopped, watch.signal]) },
        );
      } catch (error) {
        // Otherwise, the error may be that the response was ended, without the reason.
        watch.signal.throwIfAborted();
        throw error;
      } finally {
        watch.end();
      }
      requireEqual(key, 'checksum', hash.digest('hex'), file.sha256 ?? object.sha256);
      await rename(draft, path);
      await syncPath(dirname(path));
      cache.add(path, sizeBytes);
    });
  } catch (error) {
    await rm(draft, { force: true });
    throw toStorageError(error);
  } finally {
    // Ends the response if it wasn't read to its end.
    ending.abort();
  }
}

function requireEqual<Value>(key: string, what: string, found: Value, known: Value | null | undefined): void {
  if (known === undefined || known === null || found === known) return;
  throw new StorageError('damaged', `The object ${key} has another ${what} than the file that was stored.`);
}

/** Returns a signal that is aborted when a transfer pauses for too long, or takes too long for its size. */
function watchProgress(
  sizeBytes: number,
  limits: ObjectLimits,
): { readonly signal: AbortSignal; progress(): void; end(): void } {
  const stalled = new AbortController();
  const stop = (what: string) => () =>
    stalled.abort(new StorageError('unreachable', `The transfer of an object ${what}.`));
  const pause = setTimeout(stop(`paused for ${limits.idleMs / 1_000} s`), limits.idleMs);
  const whole = setTimeout(stop('was too slow'), allowedMs(sizeBytes, limits));
  return {
    signal: stalled.signal,
    progress: () => void pause.refresh(),
    end: () => {
      clearTimeout(pause);
      clearTimeout(whole);
    },
  };
}
