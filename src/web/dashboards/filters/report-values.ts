import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ParameterValue } from '#contract/reports/reports.ts';
import { bindingsOf } from '#shared/dashboard-filters/bindings.ts';
import type { FilterDefinition } from '#shared/dashboard-filters/definitions.ts';
import { valuesOfReport } from '#shared/dashboard-filters/values.ts';
import type { Calendar } from '#shared/dates/days.ts';
import type { Search } from '../../ui/browser/search.ts';

/** What the values of a report's parameters depend on. */
export interface FilterContext {
  readonly definitions: readonly FilterDefinition[];
  readonly values: Search;
  /** The calendar without the time, which goes on. */
  readonly calendar: Omit<Calendar, 'now'>;
}

/** Returns the values of the parameters of a widget's report, converted to their types if possible; unset parameters are left out. */
export const reportValues = (
  { config }: { readonly config: Readonly<Record<string, unknown>> },
  { parameters = [] }: Pick<WidgetResult, 'parameters'>,
  { definitions, values, calendar }: FilterContext,
): Readonly<Record<string, ParameterValue>> =>
  valuesOfReport(bindingsOf(config, parameters, definitions), parameters, values, {
    ...calendar,
    now: Date.now(),
  }).values;
