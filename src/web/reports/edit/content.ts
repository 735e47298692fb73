import { hashKey } from '@tanstack/react-query';
import type { Report } from '#contract/reports/reports.ts';
import type { DraftKind } from '../../drafts/storage.ts';
import type { Draft } from '../../drafts/use-draft.ts';

/** The parts of a report that people edit. */
export type ReportContent = Pick<
  Report,
  | 'name'
  | 'description'
  | 'dataSourceId'
  | 'query'
  | 'structure'
  | 'parameters'
  | 'visualization'
  | 'cacheSeconds'
  | 'drill'
>;

export type ReportDraft = Draft<ReportContent>;

export function contentOf(report: ReportContent): ReportContent {
  const {
    name,
    description,
    dataSourceId,
    query,
    structure,
    parameters,
    visualization,
    cacheSeconds,
    drill,
  } = report;
  return {
    name,
    ...(description !== undefined && { description }),
    dataSourceId,
    query,
    ...(structure !== undefined && { structure }),
    parameters,
    visualization,
    cacheSeconds,
    ...(drill !== undefined && { drill }),
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

/** Returns the content with some parts changed; an empty description is removed, and the structure of another data source. */
export function withPart(content: ReportContent, part: Partial<ReportContent>): ReportContent {
  const { description, structure, ...rest } = { ...content, ...part };
  const isOfSource = rest.dataSourceId === content.dataSourceId;
  return {
    ...rest,
    ...(description !== undefined && description !== '' && { description }),
    ...(structure !== undefined && isOfSource && { structure }),
  };
}

export const reportDrafts: DraftKind<ReportContent> = {
  kind: 'report',
  isSame: (one, other) => one === other || hashKey([one]) === hashKey([other]),
  isBlank: (content) => reportDrafts.isSame(content, emptyContent(content.dataSourceId)),
  isContent(value): value is ReportContent {
    const content = value as Partial<ReportContent> | null | undefined;
    return (
      typeof content?.name === 'string' &&
      typeof content.dataSourceId === 'string' &&
      typeof content.query === 'string' &&
      Array.isArray(content.parameters) &&
      typeof content.visualization?.kind === 'string'
    );
  },
};

/** The record that a draft belongs to: a report, or the new report of an organization. */
export const recordIdOf = ({
  organizationId,
  reportId,
}: {
  readonly organizationId: string;
  readonly reportId?: string | undefined;
}): string => reportId ?? `new:${organizationId}`;
