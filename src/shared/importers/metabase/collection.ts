import { objectIn } from '../../dashboard-filters/definitions.ts';
import { t } from '../../language/messages.ts';
import { ImportError, maxFileSize } from '../conversion.ts';
import type { ForeignFile } from '../detect.ts';
import { convertMetabase, isMetabase } from './convert.ts';
import { parseYaml } from './yaml.ts';

/** A file of an export of Metabase. */
export interface TextFile {
  /** Where it is in the export; it only names the file in messages. */
  readonly path: string;
  readonly text: string;
}

/** Whether a path in an export is one of a collection: other files describe databases and settings. */
export const isOfCollection = (path: string): boolean =>
  /[.]ya?ml$/i.test(path) && path.split(/[\\/]/).includes('collections');

const maxFiles = 10_000;
const maxCollectionSize = 32 * 1024 * 1024;

/** Collects the files of an export, up to 10,000 with 32 MiB together. `add` throws `ImportError` for more. */
export class CollectionFiles {
  readonly files: TextFile[] = [];
  #size = 0;

  /** Throws if a file of this size would be too much, before it is read. */
  requireRoom(path: string, size: number): void {
    if (size > maxFileSize) throw new ImportError(t('{file} is larger than 4 MiB.', { file: path }));
    if (this.files.length >= maxFiles)
      throw new ImportError(t('The export has more than {count} files.', { count: maxFiles }));
    if (this.#size + size > maxCollectionSize) throw new ImportError(t('The export is larger than 32 MiB.'));
  }

  add(file: TextFile): void {
    this.requireRoom(file.path, file.text.length);
    this.#size += file.text.length;
    this.files.push(file);
  }
}

/** Returns what converts the files of an export of Metabase; undefined if none is one. Throws `ImportError`. */
export function detectCollection({ files }: CollectionFiles): ForeignFile | undefined {
  const documents = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap(({ path, text }) => {
      const value = objectIn(parseYaml(path, text));
      return value !== undefined && isMetabase(value) ? [value] : [];
    });
  if (documents.length === 0) return undefined;
  return { program: 'metabase', convert: (choices) => convertMetabase(documents, choices) };
}
