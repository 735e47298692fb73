import type { Fault } from '#contract/problem.ts';
import type { ReportParameter } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { t } from '#shared/language/messages.ts';

/** Returns why a result doesn't fit its visualization, one sentence for each fault. */
export const faultMessages = (visualization: Visualization, faults: readonly Fault[]): string[] =>
  faults.map(({ pointer, message }) => {
    const parts = pointer.split('/').slice(1);
    const named = parts.reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined,
      visualization,
    );
    const subject =
      typeof named === 'string' && named.length <= 200 && !named.includes('{{')
        ? `“${named}”`
        : parts.join(' ');
    return `${subject} ${message}.`;
  });

/** Returns the message for a result without rows. It names the parameters without a value: the query gets null for them, which is often the reason. */
export function noRowsMessage(
  parameters: readonly Pick<ReportParameter, 'name' | 'label' | 'default'>[],
  values: Readonly<Record<string, unknown>>,
): string {
  const unset = parameters.filter(
    ({ name, default: preset }) => ((Object.hasOwn(values, name) ? values[name] : preset) ?? null) === null,
  );
  const names = unset.map(({ name, label }) => `“${label ?? name}”`);
  return names.length === 0
    ? t('No rows')
    : t('No rows. No value is chosen for {names}.', { names: names.join(', ') });
}
