import { objectIn } from '../dashboard-filters/definitions.ts';

/** The widget whose config has the annotations of a dashboard. It has no size, and isn't shown. */
export const annotationWidgetId = 'builtin:annotations';

/** A day (`2026-01-31`), or an instant with its zone (`2026-01-31T09:30:00Z`). */
export type AnnotationTime = string;

/** A dated note on a dashboard, which all of its charts over time show. */
export interface Annotation {
  /** Identifies it among those of the dashboard. */
  readonly key: string;
  readonly from: AnnotationTime;
  /** The end of a range. */
  readonly to?: AnnotationTime;
  readonly text: string;
  /** A color of the palette, from 1. */
  readonly color?: string;
}

interface StoredWidget {
  readonly reportId: string;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** More can't be told apart. */
export const maxAnnotations = 100;
export const maxAnnotationLength = 300;

/**
 * Returns the annotations in the widgets of a dashboard, the earliest first. Each is a member of the config, under its key, so
 * that the changes of several people to different annotations can be merged. A config may have anything, so whatever isn't valid
 * is left out. Two people can each have added a widget with annotations: all of them are shown.
 */
export function annotationsOfWidgets(widgets: readonly StoredWidget[]): Annotation[] {
  const byKey = new Map<string, Annotation>();
  for (const { reportId, config = {} } of widgets) {
    if (reportId !== annotationWidgetId) continue;
    for (const [key, value] of Object.entries(config)) {
      if (byKey.size === maxAnnotations) break;
      const annotation = toAnnotation(key, value);
      if (annotation !== undefined && !byKey.has(key)) byKey.set(key, annotation);
    }
  }
  return [...byKey.values()].toSorted(
    (one, other) => millisecondsOf(one.from) - millisecondsOf(other.from) || (one.key < other.key ? -1 : 1),
  );
}

/** Returns an annotation as its member of the config. */
export const toMember = ({ key: _key, ...member }: Annotation): Omit<Annotation, 'key'> => member;

/** Returns the annotation that a member of a config describes; undefined if it isn't valid. */
export function toAnnotation(key: string, value: unknown): Annotation | undefined {
  const { from, to, text, color } = objectIn(value) ?? {};
  if (!isAnnotationTime(from) || typeof text !== 'string') return undefined;
  if (text.trim() === '' || text.length > maxAnnotationLength) return undefined;
  const hasEnd = isAnnotationTime(to) && millisecondsOf(to) > millisecondsOf(from);
  const isColor = typeof color === 'string' && /^(?:[1-9]|1[0-2])$/.test(color);
  return { key, from, ...(hasEnd && { to }), text: text.trim(), ...(isColor && { color }) };
}

const timePattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

const isAnnotationTime = (value: unknown): value is AnnotationTime =>
  typeof value === 'string' &&
  value.length <= 24 &&
  timePattern.test(value) &&
  // JavaScript reads February 30 as March 2.
  Number.isFinite(millisecondsOf(value)) &&
  new Date(millisecondsOf(value)).toISOString().startsWith(value.slice(0, 10));

/** Whether a time is a whole day, without a zone. */
export const isDay = (time: AnnotationTime): boolean => !time.includes('T');

const millisecondsOf = (time: AnnotationTime): number => Date.parse(time);
