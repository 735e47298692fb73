import { annotationTimeText } from '#charts/time/annotations.ts';
import { t } from '#shared/language/messages.ts';
import { toAnnotation } from '#shared/annotations/annotations.ts';
import type { Difference } from '../../../drafts/conflict/conflict.ts';

type Config = Readonly<Record<string, unknown>>;

/** Whether a config is that of the widget with the annotations, of which each member is one. */
export const hasAnnotations = (config: Config): boolean =>
  Object.entries(config).some(([key, value]) => toAnnotation(key, value) !== undefined);

/** Returns how the annotations of two edits differ, in words. The configs are those before both edits and on each side. */
export function annotationDifferences(configs: {
  readonly base: Config;
  readonly mine: Config;
  readonly theirs: Config;
}): Difference[] {
  const keys = [...new Set([...Object.keys(configs.theirs), ...Object.keys(configs.mine)])];
  return keys.flatMap((key) => {
    const [base, mine, theirs] = [configs.base, configs.mine, configs.theirs].map((side) =>
      inWords(key, side),
    );
    if (base === undefined || mine === undefined || theirs === undefined || mine === theirs) return [];
    return [{ label: t('Annotation'), base, mine, theirs }];
  });
}

function inWords(key: string, config: Config): string {
  const annotation = toAnnotation(key, config[key]);
  if (annotation === undefined) return t('none');
  const color = annotation.color === undefined ? '' : `; ${t('color {color}', { color: annotation.color })}`;
  return `${annotationTimeText(annotation)}: ${annotation.text}${color}`;
}
