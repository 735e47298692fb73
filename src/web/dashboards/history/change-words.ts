import type { ContentChange } from '#contract/history.ts';

/** Returns a change in words, with the names of the reports in the place of their ids, by which the server tells them. */
export function wordsWithNames(
  { words }: Pick<ContentChange, 'words'>,
  nameOfReport: (reportId: string) => string,
): string {
  return words.replaceAll(
    /report “([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})”/g,
    (_, id: string) => `report “${nameOfReport(id)}”`,
  );
}
