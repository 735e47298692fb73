import type { Rows } from '#contract/data-sources/data-sources.ts';
import { cellText } from '../ui/text/cell-text.ts';

const sampleCount = 4;
const maxLength = 40;

/** Returns a few values of each column as text, by its name. */
export function samplesOf(rows: Pick<Rows, 'columns' | 'rows'> | undefined): ReadonlyMap<string, string> {
  return new Map(
    rows?.columns.map(({ name }, index) => {
      const texts = rows.rows.flatMap((row) => cellText(row[index]) ?? []);
      const distinct = [...new Set(texts)].slice(0, sampleCount);
      return [name, distinct.map((text) => text.slice(0, maxLength)).join(' · ')];
    }),
  );
}
