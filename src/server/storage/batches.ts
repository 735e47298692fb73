import { sql, type RawBuilder } from 'kysely';
import type { Reader } from './database.ts';
import type { PreparedQuery } from './prepared-query.ts';

/** The form of a prepared query is fixed, so one that is asked about many things takes this many at once. */
const batchSize = 50;
const places = Array.from({ length: batchSize }, (_, index) => index);

/** The values of a batch, `first0`, `second0`, `first1` and so on; null where there is none. */
export type Batch = Readonly<Record<`${'first' | 'second'}${number}`, string | null>>;

/** Returns the first value of each place of a batch, for `in`. */
export const firstsOf = (batch: Batch): (string | null)[] =>
  places.map((place) => batch[`first${place}`] ?? null);

/** Returns the rows of a batch as a `values` list of two columns. */
export const pairsOf = (batch: Batch): RawBuilder<{ first: string; second: string }> =>
  sql`(values ${sql.join(places.map((place) => sql`(${batch[`first${place}`]}, ${batch[`second${place}`]})`))})`;

/**
 * Returns the rows of a query for any number of items, batch by batch. In between, others have their turn: the
 * embedded database answers without ever giving way.
 */
export async function allInBatches<Parameters extends object, Row>(
  reader: Reader,
  query: PreparedQuery<Batch & Parameters, Row>,
  items: readonly (readonly [first: string, second?: string])[],
  parameters: Parameters,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < items.length; start += batchSize) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    const batch: Batch = Object.fromEntries(
      places.flatMap((place) => {
        const [first = null, second = null] = items[start + place] ?? [];
        return [
          [`first${place}`, first],
          [`second${place}`, second],
        ];
      }),
    );
    rows.push(...(await reader.all(query, { ...parameters, ...batch })));
  }
  return rows;
}
