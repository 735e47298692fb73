import { t } from '../language/messages.ts';
import { maxValueLength, type ParameterType } from '../parameter-values.ts';
import type { Layout } from '../grid/layout.ts';
import type { ValueFormat } from '../visualizations/format.ts';

/** Something of a file that was lost or changed, and why. */
export interface Note {
  /** The title of the panel, or the name of what it is about; empty for the dashboard as a whole. */
  readonly where: string;
  readonly what: string;
}

/** A data source of the other program. */
export interface ForeignSource {
  /** What it is called in choices. */
  readonly name: string;
  /** Its type in the other program, such as `mysql`. */
  readonly type: string;
  /** How many queries use it. */
  readonly queryCount: number;
}

/** A data source of the organization. */
export interface ChosenSource {
  readonly name: string;
  readonly kind: 'files' | 'postgresql';
}

/** The data sources to use, by the names of those in the file. */
export type SourceChoices = ReadonlyMap<string, ChosenSource>;

export interface ConvertedParameter {
  name: string;
  label?: string;
  type: ParameterType;
  default?: string | number | boolean | string[] | null;
  allowed?: { values?: string[]; query?: string };
}

interface Threshold {
  from: number;
  color: string;
}

interface ConvertedAxis {
  title?: string;
  scale?: 'log';
  min?: number;
  max?: number;
  format?: ValueFormat;
}

interface CartesianSettings {
  x: string;
  series: { field: string; format?: ValueFormat }[];
  splitBy?: string;
  stacking?: 'stacked' | 'percent';
  yAxis?: ConvertedAxis;
  referenceLines?: { value: number; color: string }[];
  hasLegend?: boolean;
}

/** The visualizations that imports create. */
export type ConvertedVisualization =
  | {
      kind: 'table';
      columns?: { field: string; label?: string; format?: ValueFormat; thresholds?: Threshold[] }[];
    }
  | {
      kind: 'number';
      value: string;
      trend?: { by: string };
      format?: ValueFormat;
      thresholds?: Threshold[];
    }
  | {
      kind: 'gauge';
      value: string;
      min?: number;
      max?: number;
      format?: ValueFormat;
      thresholds?: Threshold[];
    }
  | ({ kind: 'bar'; isHorizontal?: boolean } & CartesianSettings)
  | ({ kind: 'line'; isSmooth?: boolean; gaps?: 'connect' } & CartesianSettings)
  | ({ kind: 'area'; isSmooth?: boolean } & CartesianSettings)
  | { kind: 'pie'; category: string; value: string; isDonut?: boolean; format?: ValueFormat }
  | { kind: 'histogram'; value: string }
  | { kind: 'heatMap'; x: string; y: string; value: string; format?: ValueFormat }
  | { kind: 'scatter'; x: string; y: string };

export interface ConvertedReport {
  format: 'atrium.report/1';
  id: string;
  name: string;
  description?: string;
  dataSource: ChosenSource;
  query: string;
  parameters: ConvertedParameter[];
  visualization: ConvertedVisualization;
}

export interface ConvertedWidget {
  id: string;
  reportId: string;
  layout?: Layout;
  config?: Record<string, unknown>;
}

export interface ConvertedDashboard {
  format: 'atrium.dashboard/1';
  id: string;
  name: string;
  description?: string;
  widgets: ConvertedWidget[];
}

/** What a file of another program becomes: documents for an import, and what was lost or changed. */
export interface Conversion {
  readonly sources: readonly ForeignSource[];
  readonly documents: readonly (ConvertedReport | ConvertedDashboard)[];
  /** At most 1,000. */
  readonly notes: readonly Note[];
  readonly noteCount: number;
}

/** A query that can't become one of Atrium, and why, in words. */
export class NotConvertible extends Error {
  override readonly name = 'NotConvertible';
}

/** Throws `NotConvertible` if a value is longer than a parameter can have. */
export function requireShortValues(parameters: readonly ConvertedParameter[]): void {
  for (const { name, default: preset, allowed } of parameters)
    if ([preset ?? [], allowed?.values ?? []].flat().some((value) => String(value).length > maxValueLength))
      throw new NotConvertible(t('A value of its variable “{name}” is too long.', { name }));
}

/** Why a file is not converted, in words. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** The largest file that is converted, in bytes or characters. */
export const maxFileSize = 4 * 1024 * 1024;
/** How many panels or cards are converted. An import has at most 1,000 documents. */
export const maxPanels = 900;
const maxNotes = 1_000;

/** Collects notes, each once and at most 1,000, and counts all. */
export class Notes {
  readonly items: Note[] = [];
  readonly #seen = new Set<string>();
  count = 0;

  add(where: string, what: string): void {
    const key = JSON.stringify([where, what]);
    if (this.#seen.has(key)) return;
    this.count += 1;
    if (this.items.length >= maxNotes) return;
    this.#seen.add(key);
    this.items.push({ where: shorten(where, 200), what: shorten(what, 1_000) });
  }
}

/** Counts the queries of each data source. */
export class Sources {
  readonly #byName = new Map<string, ForeignSource>();

  add(name: string, type: string): void {
    const known = this.#byName.get(name);
    this.#byName.set(name, { name, type, queryCount: (known?.queryCount ?? 0) + 1 });
  }

  list(): ForeignSource[] {
    return [...this.#byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }
}

/** Returns a text of at most `length` characters, without half a character at its end. */
export const shorten = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/�$/, '')}…`;

/** Returns the ID of a document for what has these names, the same at every import, so that a later one updates it. */
export function documentId(...names: readonly string[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(names));
  // FNV-1a with 128 bits: it only has to distinguish names, since a document may have any ID.
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of bytes)
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x0000000001000000000000000000013bn);
  const digits = hash.toString(16).padStart(32, '0');
  // The version for custom IDs, RFC 9562 5.8.
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}

/** Returns the text of a widget in place of what can't be converted: why, and what was there. */
export function placeholderText(reason: string, original: string | undefined): string {
  if (original === undefined) return reason;
  const code = shorten(original, 15_000);
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.min(longest + 1, 1_000));
  return `${reason}\n\n${t('The original query:')}\n\n${fence}\n${code}\n${fence}`;
}
