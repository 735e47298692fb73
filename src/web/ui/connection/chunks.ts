import { connection } from './connection.ts';

/** A part of this application that could not be loaded: the server was away, or was upgraded since the page was opened. */
export class MissingChunk extends Error {
  override readonly name = 'MissingChunk';
  readonly chunk: string;
  constructor(chunk: string, cause: unknown) {
    super(`The part ${chunk} of the application could not be loaded.`, { cause });
    this.chunk = chunk;
  }
}

/**
 * Returns what `load` imports. `chunk` is a name for it that doesn't change with versions. Throws MissingChunk, but not
 * before the server responds, so that the page can be reloaded: browsers don't request a script again that failed.
 */
export async function loadChunk<T>(chunk: string, load: () => Promise<T>): Promise<T> {
  try {
    const loaded = await load();
    forgetReload(chunk);
    return loaded;
  } catch (error) {
    await connection.check();
    await connection.whenBack();
    throw new MissingChunk(chunk, error);
  }
}

const reloadedKey = (chunk: string): string => `atrium.reloaded-for.${chunk}`;

/**
 * Reloads the page to load the current version of the application. Does nothing if it has already reloaded for the same
 * chunk, which would repeat forever, or if the browser can't remember that. Returns whether it reloads.
 */
export function reloadOnceFor({ chunk }: MissingChunk): boolean {
  try {
    if (sessionStorage.getItem(reloadedKey(chunk)) !== null) return false;
    sessionStorage.setItem(reloadedKey(chunk), 'yes');
  } catch {
    return false;
  }
  location.reload();
  return true;
}

function forgetReload(chunk: string): void {
  try {
    sessionStorage.removeItem(reloadedKey(chunk));
  } catch {
    // Without storage, nothing was remembered.
  }
}
