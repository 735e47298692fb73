import type { Widget } from '#contract/dashboards/dashboards.ts';
import { annotationWidgetId } from '#shared/annotations/annotations.ts';
import { isContainer } from '#shared/sections/structure.ts';
import { isSameJson } from '../../records/fields.ts';

type Config = Widget['config'];

/**
 * Returns the merged config of a widget that both sides changed; undefined if they conflict. The config of a widget is merged as
 * a whole, since its settings may only make sense together, but apart from the tab or section that the widget is in. The
 * settings of a tab or section are merged one by one, and so are the annotations of a dashboard.
 */
export function mergeConfigs(base: Widget, mine: Widget, theirs: Widget): Config | undefined {
  const sides = [base, mine, theirs];
  const isMergedByMember = sides.every(isContainer) || sides.every(isOfAnnotations);
  const names = new Set([base, mine, theirs].flatMap(({ config }) => Object.keys(config)));
  const groups = isMergedByMember
    ? [...names].map((name) => [name])
    : [['parent'], [...names].filter((name) => name !== 'parent')];
  const merged: [string, unknown][] = [];
  for (const group of groups) {
    const side = changedSide(group, base.config, mine.config, theirs.config);
    if (side === undefined) return undefined;
    for (const name of group) if (Object.hasOwn(side, name)) merged.push([name, side[name]]);
  }
  return Object.fromEntries(merged);
}

const isOfAnnotations = ({ reportId }: Widget): boolean => reportId === annotationWidgetId;

/** Returns the side that changed some members; undefined if both did, to different values. */
function changedSide(
  names: readonly string[],
  base: Config,
  mine: Config,
  theirs: Config,
): Config | undefined {
  const isSame = (one: Config, other: Config) =>
    names.every(
      (name) => Object.hasOwn(one, name) === Object.hasOwn(other, name) && isSameJson(one[name], other[name]),
    );
  if (isSame(base, theirs)) return mine;
  return isSame(base, mine) || isSame(mine, theirs) ? theirs : undefined;
}
