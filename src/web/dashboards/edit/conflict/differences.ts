import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { filtersOfWidgets, filterWidgetId, labelOf } from '#shared/dashboard-filters/definitions.ts';
import type { MergeConflict } from '#contract/history.ts';
import { onEachSide, valueInWords, type Difference } from '../../../drafts/conflict/conflict.ts';
import { isLayout, isObject } from '../draft/kind.ts';

/** Whether one side removed a widget that the other changed. */
export const isRemoval = ({ pointer, mine, theirs }: MergeConflict): boolean =>
  /^\/widgets\/\d+$/.test(pointer) && (mine === undefined || theirs === undefined);

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  reportId: 'Report',
  layout: 'Position and size',
};

/** Returns the differences in a conflict, in words. */
export function differencesOf(
  conflict: MergeConflict,
  nameOfReport: (reportId: string) => string,
): Difference[] {
  const part = conflict.pointer.split('/').at(-1) ?? '';
  if (isRemoval(conflict)) {
    const changeOf = (widget: unknown) => (widget === undefined ? 'Removed' : 'Changed');
    return [
      {
        label: 'Widget',
        base: 'Unchanged',
        mine: changeOf(conflict.mine),
        theirs: changeOf(conflict.theirs),
      },
    ];
  }
  if (part === 'config') return settingDifferences(conflict);
  const describe = (value: unknown) => {
    if (part === 'layout' && isLayout(value)) return layoutInWords(value);
    if (part === 'reportId' && typeof value === 'string') return nameOfReport(value);
    return valueInWords(value);
  };
  return [{ label: labels[part] ?? part, ...onEachSide(conflict, describe) }];
}

function settingDifferences(conflict: MergeConflict): Difference[] {
  const settings = onEachSide(conflict, (value) => (isObject(value) ? value : {}));
  const names = new Set(Object.values(settings).flatMap((each) => Object.keys(each)));
  return [...names]
    .filter((name) => JSON.stringify(settings.mine[name]) !== JSON.stringify(settings.theirs[name]))
    .map((name) => ({
      label: settingLabels[name] ?? `Setting “${name}”`,
      base: settingInWords(name, settings.base[name]),
      mine: settingInWords(name, settings.mine[name]),
      theirs: settingInWords(name, settings.theirs[name]),
    }));
}

const settingLabels: Readonly<Record<string, string>> = {
  title: 'Title',
  filters: 'Filters',
  appliesTogether: 'Changes apply together',
};

/** Names the filters that a dashboard defines. */
function settingInWords(name: string, value: unknown): string {
  if (name !== 'filters' || !Array.isArray(value)) return valueInWords(value);
  const { filters } = filtersOfWidgets([{ reportId: filterWidgetId, config: { filters: value } }]);
  return filters.map(labelOf).join(', ');
}

/** Returns the position and size of a widget in words, counted from 1. */
export const layoutInWords = ({ x, y, w, h }: WidgetLayout): string =>
  `column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`;
