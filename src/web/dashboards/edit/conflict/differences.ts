import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import type { MergeConflict } from '#contract/records/history.ts';
import { targetIn, type WidgetTarget } from '#shared/dashboard-filters/bindings.ts';
import { t } from '#shared/language/messages.ts';
import { listFormat } from '#shared/region/intl.ts';
import { sectionSettingsOf } from '#shared/sections/structure.ts';
import { onEachSide, valueInWords, type Difference } from '../../../drafts/conflict/conflict.ts';
import { isLayout, isObject } from '../draft/kind.ts';
import { annotationDifferences, hasAnnotations } from './annotation-differences.ts';
import { filterDifferences } from './filter-differences.ts';

/** Whether one side removed a widget that the other changed. */
export const isRemoval = ({ pointer, mine, theirs }: MergeConflict): boolean =>
  /^\/widgets\/\d+$/.test(pointer) && (mine === undefined || theirs === undefined);

const labels: Readonly<Record<string, string>> = {
  name: t('Name'),
  description: t('Description'),
  reportId: t('Report'),
  layout: t('Position and size'),
};

/** The tabs and sections of a merged dashboard. */
export interface MergedContainers {
  readonly nameOf: (key: string) => string;
  /** Whether the widget with an ID is one. */
  readonly has: (widgetId: string) => boolean;
}

/** Returns the differences in a conflict, in words. */
export function differencesOf(
  conflict: MergeConflict,
  nameOfReport: (reportId: string) => string,
  containers: MergedContainers = { nameOf: (key) => key, has: () => false },
): Difference[] {
  const part = conflict.pointer.split('/').at(-1) ?? '';
  const isOfContainer = containers.has(conflict.widgetId ?? '');
  if (isRemoval(conflict)) {
    const changeOf = (widget: unknown) => (widget === undefined ? t('Removed') : t('Changed'));
    return [
      {
        label: isOfContainer ? t('Tab or section') : t('Widget'),
        base: t('Unchanged'),
        mine: changeOf(conflict.mine),
        theirs: changeOf(conflict.theirs),
      },
    ];
  }
  if (part === 'config') {
    const configs = onEachSide(conflict, (value) => (isObject(value) ? value : {}));
    if (hasAnnotations(configs.mine) || hasAnnotations(configs.theirs)) return annotationDifferences(configs);
    return Array.isArray(configs.mine['filters']) || Array.isArray(configs.theirs['filters'])
      ? filterDifferences(configs, nameOfReport)
      : settingDifferences(configs, containers.nameOf);
  }
  const describe = (value: unknown) => {
    if (part === 'layout' && isLayout(value)) {
      return isOfContainer ? `place ${value.y + 1}` : layoutInWords(value);
    }
    if (part === 'reportId' && typeof value === 'string') return nameOfReport(value);
    return valueInWords(value);
  };
  const label = isOfContainer && part === 'layout' ? t('Order') : (labels[part] ?? part);
  return [{ label, ...onEachSide(conflict, describe) }];
}

function settingDifferences(
  settings: { readonly base: Settings; readonly mine: Settings; readonly theirs: Settings },
  nameOfContainer: (key: string) => string,
): Difference[] {
  const names = new Set(Object.values(settings).flatMap((each) => Object.keys(each)));
  return [...names]
    .filter((name) => JSON.stringify(settings.mine[name]) !== JSON.stringify(settings.theirs[name]))
    .map((name) => ({
      label: settingLabels[name] ?? t('Setting “{name}”', { name }),
      base: settingInWords(name, settings.base[name], nameOfContainer),
      mine: settingInWords(name, settings.mine[name], nameOfContainer),
      theirs: settingInWords(name, settings.theirs[name], nameOfContainer),
    }));
}

type Settings = Readonly<Record<string, unknown>>;

const settingLabels: Readonly<Record<string, string>> = {
  title: t('Title'),
  text: t('Text'),
  size: t('Size'),
  links: t('Links'),
  filters: t('Filters'),
  parent: t('Tab or section'),
  isCollapsed: t('Collapsed at first'),
  repeat: t('Repeated for each value of'),
};

/** For the filters that apply to a widget, says what each sets; for a tab or section, names it. */
function settingInWords(name: string, value: unknown, nameOfContainer: (key: string) => string): string {
  if (name === 'parent') return typeof value === 'string' ? nameOfContainer(value) : 'none';
  if (name === 'isCollapsed') return value === true ? t('yes') : t('no');
  if (name === 'repeat') return sectionSettingsOf({ config: { repeat: value } }).repeatedBy ?? t('none');
  if (name === 'links' && Array.isArray(value)) return value.map(linkInWords).join('\n');
  if (name !== 'filters' || !isObject(value)) return valueInWords(value);
  return Object.keys(value)
    .map((filter) => `${filter} ${targetInWords(targetIn({ filters: value }, filter))}`)
    .join('; ');
}

function linkInWords(link: unknown): string {
  const { label, url, description } = isObject(link) ? link : {};
  return [label, url, description].filter((each) => typeof each === 'string').join(' – ');
}

function targetInWords(target: WidgetTarget | undefined): string {
  if (target === undefined) return t('sets the parameter with its name');
  if (target === null) return t('doesn’t apply');
  const parameters = typeof target === 'string' ? [target] : [target.from, target.to];
  return t('sets {parameters}', {
    parameters: listFormat().format(parameters.filter((each) => each !== undefined)),
  });
}

/** Returns the position and size of a widget in words, counted from 1. */
export const layoutInWords = ({ x, y, w, h }: WidgetLayout): string =>
  t('column {column}, row {row}, {w} wide, {h} high', { column: x + 1, row: y + 1, w, h });
