import { annotationWidgetId, toMember, type Annotation } from '#shared/annotations/annotations.ts';
import { t } from '#shared/language/messages.ts';
import type { DraftContent, DraftWidget } from '../draft/content.ts';

const isOfAnnotations = ({ reportId }: DraftWidget): boolean => reportId === annotationWidgetId;

/**
 * Adds an annotation, or replaces the one with its key. Annotations are in one widget, which is added with the first of them;
 * several, which people added at the same time, become one.
 */
export function withAnnotation(
  content: DraftContent,
  widgetKey: string,
  annotation: Annotation,
): DraftContent {
  return withMembers(content, widgetKey, (members) => ({
    ...members,
    [annotation.key]: toMember(annotation),
  }));
}

/** Removes an annotation. The widget stays without any, so that annotations that others add at the same time are merged. */
export const withoutAnnotation = (content: DraftContent, key: string): DraftContent =>
  withMembers(content, '', (members) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => name !== key)),
  );

function withMembers(
  content: DraftContent,
  widgetKey: string,
  change: (members: DraftWidget['config']) => DraftWidget['config'],
): DraftContent {
  const known = content.widgets.filter(isOfAnnotations);
  const others = content.widgets.filter((widget) => !isOfAnnotations(widget));
  const layout = { x: 0, y: 0, w: 0, h: 0 };
  const widget = known[0] ?? { key: widgetKey, reportId: annotationWidgetId, layout, config: {} };
  // The first one with a key applies.
  const members = Object.assign(
    {},
    ...known.toReversed().map(({ config }) => config),
  ) as DraftWidget['config'];
  return { ...content, widgets: [...others, { ...widget, config: change(members) }] };
}

/** What people enter for an annotation. Empty texts are unset. */
export interface AnnotationForm {
  readonly text: string;
  readonly day: string;
  /** The time of day in the zone of the browser; without it, the annotation is about the whole day. */
  readonly time: string;
  readonly endDay: string;
  readonly endTime: string;
  readonly color: string | undefined;
}

/** Returns the annotation that was entered, or what is wrong with it. */
export function toAnnotationOf(
  form: AnnotationForm,
  key: string,
): { readonly annotation: Annotation } | { readonly fault: keyof AnnotationForm; readonly message: string } {
  const text = form.text.trim();
  if (text === '') return { fault: 'text', message: t('Enter a text.') };
  const from = timeOf(form.day, form.time);
  if (from === undefined) return { fault: 'day', message: t('Enter a date.') };
  if (form.endDay === '' && form.endTime !== '')
    return { fault: 'endDay', message: t('Enter the last day.') };
  const to = timeOf(form.endDay, form.endTime);
  if (to !== undefined && Date.parse(to) <= Date.parse(from))
    return { fault: 'endDay', message: t('The end has to be after the start.') };
  const { color } = form;
  return {
    annotation: {
      key,
      from,
      ...(to !== undefined && { to }),
      text,
      ...(color !== undefined && { color }),
    },
  };
}

function timeOf(day: string, time: string): string | undefined {
  const at = new Date(time === '' ? day : `${day}T${time}`);
  if (day === '' || Number.isNaN(at.getTime())) return undefined;
  return time === '' ? day : at.toISOString().replace('.000Z', 'Z');
}

/** Returns what people see when they edit an annotation. */
export function formOf(annotation: Annotation | undefined): AnnotationForm {
  const [day, time] = partsOf(annotation?.from);
  const [endDay, endTime] = partsOf(annotation?.to);
  return { text: annotation?.text ?? '', day, time, endDay, endTime, color: annotation?.color };
}

function partsOf(time: string | undefined): readonly [day: string, time: string] {
  if (time === undefined) return ['', ''];
  if (!time.includes('T')) return [time, ''];
  const at = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return [day, `${two(at.getHours())}:${two(at.getMinutes())}`];
}
