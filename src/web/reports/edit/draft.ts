import type { Report } from '#contract/reports/reports.ts';
import { findKept, keepJson } from '../../ui/browser/stored-json.ts';

/** What people edit of a report. */
export type ReportContent = Pick<
  Report,
  'name' | 'description' | 'dataSourceId' | 'query' | 'parameters' | 'visualization' | 'cacheSeconds'
>;

/** The version that an edit began with. */
export interface DraftBase {
  readonly etag: string;
  readonly content: ReportContent;
}

/** An edit that is not saved, as it is kept on this machine. */
export interface ReportDraft {
  readonly content: ReportContent;
  /** Left out for a report that was never saved. */
  readonly base?: DraftBase;
  readonly at: string;
}

export function contentOf(report: ReportContent): ReportContent {
  const { name, description, dataSourceId, query, parameters, visualization, cacheSeconds } = report;
  return {
    name,
    ...(description !== undefined && { description }),
    dataSourceId,
    query,
    parameters,
    visualization,
    cacheSeconds,
  };
}

export const emptyContent = (dataSourceId: string): ReportContent => ({
  name: '',
  dataSourceId,
  query: '',
  parameters: [],
  visualization: { kind: 'table' },
  cacheSeconds: 60,
});

/** Returns a content with a part of it changed; an empty description is none. */
export function withPart(content: ReportContent, part: Partial<ReportContent>): ReportContent {
  const { description, ...rest } = { ...content, ...part };
  return { ...rest, ...(description !== undefined && description !== '' && { description }) };
}

/** Whether two contents say the same, in whatever order their members are. */
export const isSameContent = (one: ReportContent, other: ReportContent): boolean =>
  canonical(one) === canonical(other);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** Where the draft of a person's edit is kept: of a report, or of a new one of an organization. */
export const draftKey = (userId: string, place: { reportId: string } | { orgId: string }): string =>
  'reportId' in place
    ? `atrium:report-draft:${userId}:${place.reportId}`
    : `atrium:report-draft:${userId}:new:${place.orgId}`;

/** Returns the draft that is kept under a key, or undefined. */
export const readDraft = (storage: Pick<Storage, 'getItem'>, key: string): ReportDraft | undefined =>
  findKept(storage, key, toDraft);

/** Keeps a draft. Returns whether there was room for it. */
export const keepDraft = (storage: Pick<Storage, 'setItem'>, key: string, draft: ReportDraft): boolean =>
  keepJson(storage, key, draft);

function toDraft(value: unknown): ReportDraft | undefined {
  const draft = value as Partial<ReportDraft> | null;
  // Sound as far as this application kept it in this form: so much tells.
  return typeof draft?.content?.query === 'string' && typeof draft.at === 'string'
    ? (draft as ReportDraft)
    : undefined;
}
