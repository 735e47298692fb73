import { safeFileName } from '../../base/texts/file-name.ts';

/** Where a file is in an archive. */
export interface ArchivePath {
  /** Written by the program, never by people: lower-case words and IDs, separated by `/`. Left out at the top. */
  readonly folder?: string;
  /** Can be what a person typed: it is made safe, and unique in its folder. */
  readonly name: string;
  /** Without the dot. */
  readonly ending: string;
}

const folders = /^[a-z\d-]+(?:\/[a-z\d-]+)*$/;
const endings = /^[a-z\d.]+$/;

/**
 * Returns a function that turns paths into names of entries that every system can unpack, with a number where two would be the
 * same on a system that ignores the case or the form of letters.
 */
export function createPathNames(): (path: ArchivePath) => string {
  const taken = new Set<string>();
  const nextNumbers = new Map<string, number>();
  return ({ folder, name, ending }) => {
    if (folder !== undefined && !folders.test(folder)) throw new Error(`${folder} is not a folder.`);
    if (!endings.test(ending)) throw new Error(`${ending} is not an ending.`);
    const prefix = folder === undefined ? '' : `${folder}/`;
    const safe = safeFileName(name);
    const first = `${prefix}${safe}.${ending}`;
    let unique = first;
    let number = nextNumbers.get(comparable(first)) ?? 2;
    for (; taken.has(comparable(unique)); number += 1) unique = `${prefix}${safe} (${number}).${ending}`;
    if (unique !== first) nextNumbers.set(comparable(first), number);
    taken.add(comparable(unique));
    return unique;
  };
}

/** Names are the same on macOS and Windows if only the case or the form of their letters differs. */
const comparable = (path: string): string => path.normalize('NFKC').toUpperCase().toLowerCase();
