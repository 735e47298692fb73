import type { DashboardDocument, ImportAction } from '#contract/dashboard-documents.ts';
import type { Role } from '#contract/organizations.ts';
import type { Fault } from '#contract/problem.ts';
import { AtriumError, invalidFaults } from '../base/errors.ts';
import type { Transaction } from '../storage/database.ts';
import { mayEdit } from './dashboard-access.ts';
import { describeChanges } from './dashboard-changes.ts';
import { isSameContent } from './dashboard-content.ts';
import { lockMatchingDashboard, type MatchedDashboard } from './dashboard-document-store.ts';
import { contentOfDocument, type DocumentContent } from './dashboard-documents.ts';
import { contentOf } from './dashboard-versions.ts';

/** Who imports, and the role by which what may be changed is decided. */
export interface ImportingUser {
  readonly userId: string;
  readonly role: Role;
}

/**
 * Returns what each document makes, without storing anything; the dashboards that there are of them are locked. Throws
 * `invalid_body` when two documents have one id, and `forbidden` with each whose dashboard may not be changed.
 */
export async function planImport(
  transaction: Transaction,
  organizationId: string,
  documents: readonly DashboardDocument[],
  user: ImportingUser,
): Promise<ImportStep[]> {
  requireEachOnce(documents);
  const matches = await lockMatches(transaction, organizationId, documents, user);
  return documents.map((document) => planStep(document, matches.get(document.id)));
}

function requireEachOnce(documents: readonly DashboardDocument[]): void {
  const seen = new Set<string>();
  const faults = documents.flatMap(({ id }, index): Fault[] => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [
      {
        pointer: `/documents/${index}/id`,
        code: 'unique',
        message: 'must not be the id of a document before',
      },
    ];
  });
  if (faults.length > 0) throw invalidFaults(faults.slice(0, maxFaults));
}

const maxFaults = 100;

/** In the order of the ids, so that whoever else locks many waits rather than blocks. */
async function lockMatches(
  transaction: Transaction,
  organizationId: string,
  documents: readonly DashboardDocument[],
  { userId, role }: ImportingUser,
): Promise<Map<string, MatchedDashboard>> {
  const matches = new Map<string, MatchedDashboard>();
  const refused = new Set<string>();
  for (const documentId of documents.map(({ id }) => id).toSorted()) {
    const matched = await lockMatchingDashboard(transaction, { organizationId, documentId, userId });
    if (matched === undefined) continue;
    matches.set(documentId, matched);
    if (!mayEdit({ ...matched, role }, { userId })) refused.add(documentId);
  }
  if (refused.size > 0) throw notYours(documents, refused);
  return matches;
}

/** One and the same for a dashboard that the actor only sees and for one that the actor does not see. */
function notYours(documents: readonly DashboardDocument[], refused: ReadonlySet<string>): AtriumError {
  const faults = documents.flatMap(({ id }, index): Fault[] =>
    refused.has(id)
      ? [
          {
            pointer: `/documents/${index}`,
            code: 'forbidden',
            message: 'is about a dashboard that you may not change',
          },
        ]
      : [],
  );
  return new AtriumError('forbidden', 'Nothing is imported: some of these dashboards you may not change.', {
    faults: faults.slice(0, maxFaults),
  });
}

/** What a document makes of a dashboard there is, or of none. */
export interface ImportStep extends DocumentContent {
  readonly document: DashboardDocument;
  readonly matched: MatchedDashboard | undefined;
  readonly action: ImportAction;
  readonly changes: readonly string[] | undefined;
}

function planStep(document: DashboardDocument, matched: MatchedDashboard | undefined): ImportStep {
  if (matched === undefined) {
    return { ...contentOfDocument(document, []), document, matched, action: 'create', changes: undefined };
  }
  const before = contentOf(matched);
  const { content, newWidgetIds } = contentOfDocument(document, before.widgets);
  const isSame = isSameContent(before, content);
  const action = matched.isDeleted ? 'restore' : isSame ? 'unchanged' : 'update';
  const changes = isSame ? undefined : shortList(describeChanges(before, content).map(({ words }) => words));
  return { content, newWidgetIds, document, matched, action, changes };
}

const maxChanges = 50;

const shortList = (texts: readonly string[]): string[] =>
  texts.length <= maxChanges
    ? [...texts]
    : [...texts.slice(0, maxChanges), `And ${texts.length - maxChanges} more changes.`];
