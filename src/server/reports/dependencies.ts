import type { ReportParameter } from '#contract/reports/reports.ts';
import { findPlaceholders } from '#shared/sql/placeholders.ts';

/** For each parameter, the names of those whose values the query of its allowed values refers to. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

export const dependenciesOf = (parameters: readonly ReportParameter[]): Dependencies =>
  new Map(
    parameters.map(({ name, allowed }) => {
      const placeholders = allowed?.query === undefined ? [] : findPlaceholders(allowed.query).placeholders;
      return [name, new Set(placeholders.map((placeholder) => placeholder.name))];
    }),
  );

/** Returns what a parameter depends on, also indirectly. */
export function allDependencies(name: string, dependencies: Dependencies): ReadonlySet<string> {
  const waiting = [name];
  const found = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const dependency of dependencies.get(next) ?? []) {
      if (!found.has(dependency)) waiting.push(dependency);
      found.add(dependency);
    }
  }
  return found;
}
