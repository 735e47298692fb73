import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messagesIn, type MessageUse } from './messages.ts';
import { readSources } from './sources.ts';

const directory = join(import.meta.dirname, '..', '..', 'src', 'shared', 'language', 'catalogs');

/** Folders whose texts are in the language of the reader. The API, logs and commands are in English. */
const folders = ['src/web', 'src/charts', 'src/shared', 'src/server/exports'];

/** Returns all messages of the program, and the places whose message isn't a literal text. */
export function allMessages(): { readonly uses: MessageUse[]; readonly faults: string[] } {
  const found = readSources(...folders).map(messagesIn);
  return { uses: found.flatMap(({ uses }) => uses), faults: found.flatMap(({ faults }) => faults) };
}

/** Returns the messages of each language, by its tag. */
export const readCatalogs = (): Map<string, Record<string, string>> =>
  new Map(
    globSync('*.json', { cwd: directory }).map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(directory, file), 'utf8')) as Record<string, string>,
    ]),
  );

/** Writes the messages of a language, sorted by their key. */
export function writeCatalog(language: string, messages: Readonly<Record<string, string>>): void {
  const sorted = Object.entries(messages).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(sorted), null, 2);
  writeFileSync(join(directory, `${language}.json`), `${text}\n`);
}
