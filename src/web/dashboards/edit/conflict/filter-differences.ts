import {
  filtersOfWidgets,
  filterWidgetId,
  labelOf,
  type DashboardFilters,
  type FilterDefinition,
} from '#shared/dashboard-filters/definitions.ts';
import type { Difference } from '../../../drafts/conflict/conflict.ts';
import { rangeText } from '#shared/dashboard-filters/filter-text.ts';
import { listOf } from '#shared/dashboard-filters/filter-list.ts';
import { t } from '#shared/language/messages.ts';
import { textOf } from '../../filters/filters.ts';
import { kindLabels } from '../filters/kind-labels.ts';

type Config = Readonly<Record<string, unknown>>;

/**
 * Returns how the filters that two edits of a dashboard define differ, in words: each filter, their order, and when changes
 * apply. The configs are those of the widget with the filters, before both edits and on each side.
 */
export function filterDifferences(
  configs: { readonly base: Config; readonly mine: Config; readonly theirs: Config },
  nameOfReport: (reportId: string) => string,
): Difference[] {
  const [base, mine, theirs] = [read(configs.base), read(configs.mine), read(configs.theirs)];
  const compare = (label: string, describe: (side: DashboardFilters) => string): Difference[] => {
    const difference = { label, base: describe(base), mine: describe(mine), theirs: describe(theirs) };
    return difference.mine === difference.theirs ? [] : [difference];
  };
  const names = [...new Set([...namesIn(theirs), ...namesIn(mine)])];
  const onBothSides = names.filter((name) => namesIn(mine).includes(name) && namesIn(theirs).includes(name));
  return [
    ...names.flatMap((name) =>
      compare(t('Filter “{name}”', { name }), ({ filters }) => {
        const filter = filters.find((each) => each.name === name);
        return filter === undefined ? t('none') : filterInWords(filter, nameOfReport);
      }),
    ),
    ...compare(t('Order of the filters'), (side) =>
      namesIn(side)
        .filter((name) => onBothSides.includes(name))
        .join(', '),
    ),
    ...compare(t('Changes apply'), ({ appliesTogether }) =>
      appliesTogether ? t('together') : t('immediately'),
    ),
  ];
}

const read = (config: Config): DashboardFilters => filtersOfWidgets([{ reportId: filterWidgetId, config }]);

const namesIn = ({ filters }: DashboardFilters): string[] => filters.map(({ name }) => name);

/** Describes a filter, such as `List, one value; label: Country; default: NO; required`. */
function filterInWords(filter: FilterDefinition, nameOfReport: (reportId: string) => string): string {
  const { kind, name, label = name, default: preset, isRequired, dependsOn, values } = filter;
  return [
    kindLabels[kind],
    ...(label === name ? [] : [t('label: {label}', { label: labelOf(filter) })]),
    ...(preset === undefined
      ? []
      : [
          t('default: {value}', {
            value: kind === 'date_range' ? rangeText(textOf(preset)) : listOf(preset).join(', '),
          }),
        ]),
    ...(isRequired === true ? [t('required')] : []),
    ...(dependsOn === undefined ? [] : [t('depends on {dependsOn}', { dependsOn: dependsOn.join(', ') })]),
    ...(values === undefined
      ? []
      : 'fixed' in values
        ? [t('values: {values}', { values: values.fixed.join(', ') })]
        : [
            t('values: the column “{column}” of {report}', {
              column: values.column,
              report: nameOfReport(values.reportId),
            }),
          ]),
  ].join('; ');
}
