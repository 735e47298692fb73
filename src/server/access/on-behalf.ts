import type { Reader } from '../storage/database.ts';
import { selectViewers } from './on-behalf-store.ts';

/** Why the result of a report is not shown: who made the link, or who put the report there, may not see it. */
export type WithheldReason = 'maker' | 'editor';

/**
 * Returns why the result of a report is withheld where these people last added or changed what shows it; undefined if it is
 * shown.
 */
export type FindWithheld = (reportId: string, editorIds: readonly string[]) => WithheldReason | undefined;

/**
 * The rule for everything that shows results without the access of those who see them, such as wall displays: the result of a
 * report is shown only if everyone who last added or changed what shows it may see the report now, and the person who made the
 * link may, too. Otherwise, someone could add a report that they may not see to a page with the link of someone who may.
 *
 * Now means: they are members whose accounts are not disabled, meet what the organization requires to sign in, and have access to the
 * report. Whether the maker meets it depends on the session in which the link was made, and is checked with the link.
 */
export async function readWithheld(
  reader: Reader,
  {
    organizationId,
    makerId,
    editorIds,
    reportIds,
  }: {
    readonly organizationId: string;
    readonly makerId: string;
    /** Everyone that is asked about. */
    readonly editorIds: Iterable<string>;
    readonly reportIds: Iterable<string>;
  },
): Promise<FindWithheld> {
  const viewers = await selectViewers(reader, {
    organizationId,
    reportIds: [...new Set(reportIds)],
    userIds: [...new Set([makerId, ...editorIds])],
  });
  const byReport = Map.groupBy(viewers, ({ reportId }) => reportId);
  return (reportId, editors) => {
    const found = byReport.get(reportId) ?? [];
    if (!found.some(({ userId }) => userId === makerId)) return 'maker';
    const mayAllSee = editors.every((editorId) =>
      found.some(({ userId, meetsRequirements }) => userId === editorId && meetsRequirements),
    );
    // What nobody is known to have put there is not shown.
    return mayAllSee && editors.length > 0 ? undefined : 'editor';
  };
}
