import {
  annotationsOfWidgets,
  annotationWidgetId,
  type Annotation,
} from '#shared/annotations/annotations.ts';
import { isSameJson } from '../../records/fields.ts';
import { listChanges } from './filter-changes.ts';

type Config = Readonly<Record<string, unknown>>;

/** Describes what changed in the annotations of a dashboard, such as `Annotations: added “Release 2.0”, removed “Test”.` */
export function describeAnnotationChanges(before: Config, after: Config): string {
  const [from, to] = [annotationsIn(before), annotationsIn(after)];
  const textsOf = (annotations: readonly Annotation[]) => annotations.map(({ text }) => text);
  const changes = [
    ...listChanges('added', textsOf([...to.values()].filter(({ key }) => !from.has(key)))),
    ...listChanges(
      'changed',
      textsOf([...to.values()].filter(({ key }) => from.has(key) && !isSameJson(from.get(key), to.get(key)))),
    ),
    ...listChanges('removed', textsOf([...from.values()].filter(({ key }) => !to.has(key)))),
  ];
  return `Annotations: ${changes.length === 0 ? 'changed' : changes.join(', ')}.`;
}

const annotationsIn = (config: Config): ReadonlyMap<string, Annotation> =>
  new Map(
    annotationsOfWidgets([{ reportId: annotationWidgetId, config }]).map((each) => [each.key, each] as const),
  );
