import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Annotation } from '#shared/annotations/annotations.ts';
import type { ReferenceContext } from '#charts/content/reference-values.ts';
import type { LoadImage } from './images.ts';

/** A widget with its result. */
export interface ExportedWidget {
  readonly widget: Widget;
  readonly title: string;
  /** Undefined if there is no result. */
  readonly line: WidgetResult | undefined;
  /** The text for a result without rows. */
  readonly whenEmpty: string;
  /** What references in its text refer to; undefined if it shows a report. */
  readonly references?: ReferenceContext;
  /** Loads the images that it shows; undefined if it shows a report. */
  readonly loadImage?: LoadImage;
  /** For what value its section is repeated; undefined if it isn't. */
  readonly repetition?: string;
}

/** A grid of widgets: the top one, or that of a tab or a section. */
export interface ExportedGrid {
  /** Undefined for the top one, and for a section without a title. */
  readonly heading?: { readonly text: string; readonly isTab: boolean };
  /** Why a section isn't repeated, or not for all values. */
  readonly note?: string;
  readonly widgets: readonly ExportedWidget[];
}

/** What a file shows. */
export interface ExportedDocument {
  readonly title: string;
  /** The logo of its organization, as a `data:` URL. */
  readonly logo?: string;
  readonly filters: readonly { readonly label: string; readonly value: string }[];
  /** When it was exported and when its data was computed, and the version of the dashboard. */
  readonly facts: readonly string[];
  readonly grids: readonly ExportedGrid[];
  /** Those that all charts over time show. */
  readonly annotations: readonly Annotation[];
  /** Whether the colors of charts have patterns, too. */
  readonly hasPatterns: boolean;
}
