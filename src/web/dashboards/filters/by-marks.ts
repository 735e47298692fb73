import type { Search } from '../../ui/browser/search.ts';
import { pickedBy, type Mark, type Picked } from '#charts/marks/mark.ts';
import type { ResultRows } from '#charts/values/result-values.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { t } from '#shared/language/messages.ts';
import { filterOfField, isPickedBy, pickableFields, withPicked } from './filters.ts';

/** What choosing marks does to the filters of a dashboard, as an action of a menu. */
export interface FilterAction {
  readonly label: string;
  /** Why it can't be done. */
  readonly reason?: string;
  /** The filters that change. */
  readonly changed: Search;
}

/**
 * Returns the actions that filter a dashboard by the values of marks, one for each filter with the name of a column. Values
 * that are already chosen are removed.
 */
export function filterActions(
  marks: readonly Mark[],
  result: Pick<ResultRows, 'columns'>,
  filters: readonly DashboardFilter[],
  search: Search,
): readonly FilterAction[] {
  const pickable = pickableFields(result.columns, filters);
  const byField = Map.groupBy(distinct(marks, result), ({ field }) => field);
  const actions = [...byField].flatMap(([field, picked]): FilterAction[] => {
    const filter = filterOfField(field, filters);
    if (filter === undefined || !pickable.has(field)) return [];
    const name = filter.label === undefined || filter.label === '' ? filter.name : filter.label;
    return [{ ...change(picked, filter, search, name) }];
  });
  const [first] = byField.keys();
  return actions.length > 0
    ? actions
    : [
        {
          label: t('Filter this dashboard'),
          reason:
            first === undefined
              ? t('It shows no value that a filter could have.')
              : t('This dashboard has no filter called “{first}”.', { first }),
          changed: {},
        },
      ];
}

function change(
  picked: readonly Picked[],
  filter: DashboardFilter,
  search: Search,
  name: string,
): FilterAction {
  const isPicked = isPickedBy(search, [filter]);
  const isChosen = ({ field, value }: Picked) => isPicked(field, value) === true;
  const isRemoval = picked.every(isChosen);
  const label = isRemoval
    ? t('Remove the filter by {name}', { name })
    : t('Filter this dashboard by {name}', { name });
  const values = picked.filter(({ value }) => value !== null && value !== undefined);
  if (values.length === 0)
    return { label, reason: t('A missing value can’t be the value of a filter.'), changed: {} };
  if (filter.type !== 'list' && values.length > 1)
    return { label, reason: t('The filter “{name}” has only one value at a time.', { name }), changed: {} };
  // Each value is added to those before.
  const changed = values
    .filter((one) => isRemoval || !isChosen(one))
    .reduce<Search>((all, one) => ({ ...all, ...withPicked({ ...search, ...all }, [one], [filter]) }), {});
  return { label, changed };
}

const distinct = (marks: readonly Mark[], result: Pick<ResultRows, 'columns'>): readonly Picked[] => [
  ...new Map(
    marks.flatMap((mark) => pickedBy(mark, result)).map((picked) => [JSON.stringify(picked), picked]),
  ).values(),
];
