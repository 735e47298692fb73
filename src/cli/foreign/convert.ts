import { ImportError, type ChosenSource, type Conversion } from '#shared/importers/conversion.ts';
import { printable } from '../usage/printable.ts';
import { UsageError } from '../usage/usage.ts';
import { readForeign } from './read.ts';

/**
 * Returns the documents of a dashboard of Grafana or an export of Metabase. `choices` has a line for each of its data sources,
 * `NAME=SOURCE`, and `findSource` returns the data source of the organization that it names. Throws a `UsageError` if the file isn't
 * one, or if a data source has no choice or an unknown one.
 */
export async function convertForeign(
  path: string,
  choices: string | undefined,
  findSource: (named: string) => Promise<ChosenSource | undefined>,
): Promise<Conversion> {
  const chosen = await findChosen(choices, findSource);
  try {
    const conversion = (await readForeign(path)).convert(chosen);
    const known = new Set(conversion.sources.map(({ name }) => name));
    const unknown = [...chosen.keys()].filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw new UsageError(`There is no data source ${unknown.map(printable).join(', ')} in the file.`);
    const missing = conversion.sources.filter(({ name }) => !chosen.has(name));
    if (missing.length > 0)
      throw new UsageError(
        `Choose a data source for each of these:\n${missing
          .map(
            ({ name, type, queryCount }) =>
              `  --source "${printable(name)}=ID"  ${printable(type)}, ${queryCount} queries`,
          )
          .join('\n')}`,
      );
    return conversion;
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error;
  }
}

async function findChosen(
  choices: string | undefined,
  findSource: (named: string) => Promise<ChosenSource | undefined>,
): Promise<ReadonlyMap<string, ChosenSource>> {
  const chosen = new Map<string, ChosenSource>();
  for (const choice of choices === undefined ? [] : choices.split('\n')) {
    const end = choice.lastIndexOf('=');
    const named = choice.slice(end + 1);
    if (end < 1 || named === '')
      throw new UsageError(`--source must have the form NAME=ID: ${printable(choice)}`);
    const source = await findSource(named);
    if (source === undefined)
      throw new UsageError(`The organization has no data source with the ID ${printable(named)}.`);
    chosen.set(choice.slice(0, end), source);
  }
  return chosen;
}

/** Returns a line for each note on what was lost or changed. */
export const noteLines = ({ notes, noteCount }: Conversion): string[] => [
  ...(noteCount === 0 ? [] : [`Lost or changed: ${noteCount}`]),
  ...notes.map(({ where, what }) => printable(where === '' ? `  ${what}` : `  ${where}: ${what}`)),
  ...(noteCount > notes.length ? [`  and ${noteCount - notes.length} more`] : []),
];
