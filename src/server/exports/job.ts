import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { ExportFormat } from '#contract/dashboards/exports.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Branding } from '#shared/branding/branding.ts';
import type { GivenValues } from '#shared/dashboard-filters/values.ts';
import type { RepeatedSection } from '../dashboards/results/repetitions.ts';
import type { Language } from '#shared/language/languages.ts';
import type { Region } from '#shared/region/region.ts';

/** What a worker exports, in addition to the lines of results that follow it. */
export interface ExportJob {
  readonly format: ExportFormat;
  /** Of the words that Atrium writes. */
  readonly textLanguage: Language;
  /** The name of the dashboard. */
  readonly name: string;
  readonly version: number;
  readonly widgets: readonly Widget[];
  /** The only widget to export; all if it is left out. */
  readonly widgetId?: string;
  /** How its sections are repeated, by their keys; those that aren't are left out. */
  readonly repeated: Readonly<Record<string, RepeatedSection>>;
  /** The values of the filters as in a URL. */
  readonly values: GivenValues;
  /** When the export was requested, in milliseconds since 1970. */
  readonly exportedAt: number;
  readonly timeZone: string;
  /** Whether the colors of charts have patterns, too. */
  readonly hasPatterns: boolean;
  readonly weekStart: 'monday' | 'sunday' | 'saturday';
  /** How the organization writes values; its locale is that of the process. */
  readonly region: Region;
  readonly branding: Branding;
  /** As a `data:` URL. */
  readonly logo?: string;
  /** The uploaded images that its widgets show, in Base64 by their IDs. */
  readonly images: Readonly<Record<string, string>>;
  /** Where the server is reached, for links to its pages. */
  readonly publicUrl: string;
}

/** A line among those of results: the lines after it are those of a section for one value. */
export interface RepetitionLine {
  readonly repetitionOf: { readonly section: string; readonly value: string };
}

/** The results of a section for one value. */
export interface RepeatedResults {
  readonly section: string;
  readonly value: string;
  readonly lines: readonly WidgetResult[];
}

/** How large exports may be. */
export interface ExportLimits {
  readonly maxInputBytes: number;
  readonly maxOutputBytes: number;
  readonly memoryBytes: number;
  /** How long the results may take. Nothing waits for them but their own export. */
  readonly resultsTimeoutMs: number;
  /** How long a worker may take after it has received all results. */
  readonly timeoutMs: number;
  /**
   * How many workers run at once, how many of them are for organizations and people that had no slow one in the last minute, and how many run for
   * one organization or one person.
   */
  readonly maxWorkers: number;
  readonly reservedWorkers: number;
  readonly maxWorkersPerOrganization: number;
  /** How many more exports of an organization or a person get their results or wait at most, and how long they wait. */
  readonly maxWaitingPerOrganization: number;
  readonly maxWaitMs: number;
}

export const defaultExportLimits: ExportLimits = {
  maxInputBytes: 128 * 1024 ** 2,
  maxOutputBytes: 64 * 1024 ** 2,
  memoryBytes: 1024 ** 3,
  resultsTimeoutMs: 120_000,
  timeoutMs: 30_000,
  maxWorkers: 3,
  reservedWorkers: 1,
  maxWorkersPerOrganization: 1,
  maxWaitingPerOrganization: 4,
  maxWaitMs: 20_000,
};

/** Thrown by a worker if what it should make is larger than any file should be. The message says what to do. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** With which a worker exits after it has written the message of `TooLarge` to its error output. */
export const tooLargeExitCode = 3;
