import { pointerTo } from '#shared/json-pointer.ts';
import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import type { Fault } from '#contract/problem.ts';
import { AtriumError } from '../../base/errors.ts';
import type { QueryParameter } from '../../engine/parameter-casts.ts';
import { descriptionOfType, isAllowed, isOfType, notAllowed } from '../content.ts';
import { allDependencies, dependenciesOf } from '../dependencies.ts';

/** Returns an error about the parameters in a body as one about those in a URL; any other error is returned unchanged. */
export function asUrlError(error: AtriumError): AtriumError {
  const { code, message, faults = [], cause } = error;
  return code === 'invalid_body' ? new AtriumError('invalid_parameters', message, { faults, cause }) : error;
}

/**
 * Returns the allowed values of a parameter, or undefined if any value of its type is allowed. `values` are those that its query
 * refers to.
 */
export type ListAllowed = (
  parameter: ReportParameter,
  values: readonly QueryParameter[],
) => Promise<readonly string[] | undefined>;

/**
 * Returns the parameters of a report with their values: the given ones, or else their defaults, or else null. Throws
 * `invalid_body` with a fault for each value that isn't valid; `pointer` is where the body has the values.
 */
export async function resolveParameters(
  parameters: readonly ReportParameter[],
  given: Readonly<Record<string, ParameterValue>>,
  listAllowed: ListAllowed,
  pointer = '/parameters',
): Promise<QueryParameter[]> {
  const faults = findUnknown(parameters, given, pointer);
  const resolved = withDefaults(parameters, given);
  const dependencies = dependenciesOf(parameters);
  const wrongType = new Set(resolved.filter(isOfWrongType).map(({ name }) => name));
  const notAllowedNames = new Set<string>();
  for (const [index, { name, type, value }] of resolved.entries()) {
    const at = `${pointer}/${name}`;
    const parameter = parameters[index];
    if (parameter === undefined || value === null) continue;
    if (wrongType.has(name)) {
      faults.push({ pointer: at, code: 'type', message: `must be ${descriptionOfType[type]}` });
      continue;
    }
    const direct = dependencies.get(name) ?? new Set();
    // What is allowed then isn't known, and the other parameter already has a fault.
    if (wrongType.size > 0 && !direct.isDisjointFrom(wrongType)) continue;
    const allowed = await listAllowed(
      parameter,
      resolved.filter((other) => direct.has(other.name)),
    );
    if (allowed !== undefined && !isAllowed(allowed, value)) notAllowedNames.add(name);
  }
  for (const name of notAllowedNames) {
    // Whether a value belongs to another one that isn't allowed isn't revealed.
    if (notAllowedNames.isDisjointFrom(allDependencies(name, dependencies)))
      faults.push({ pointer: `${pointer}/${name}`, code: 'allowed', message: notAllowed });
  }
  if (faults.length > 0) {
    throw new AtriumError('invalid_body', 'Some parameters are not valid for this report.', { faults });
  }
  return resolved;
}

/** A parameter with its value, which is null if nothing is chosen. */
type ResolvedParameter = QueryParameter & { readonly value: ParameterValue };

/** Returns the parameters of a report with the given values, or else their defaults, or else null. */
const withDefaults = (
  parameters: readonly ReportParameter[],
  given: Readonly<Record<string, ParameterValue>>,
): ResolvedParameter[] =>
  parameters.map(({ name, type, default: preset }) => ({
    name,
    type,
    value: (Object.hasOwn(given, name) ? given[name] : preset) ?? null,
  }));

/** Whether a value is not of its parameter's type. */
const isOfWrongType = ({ type, value }: ResolvedParameter): boolean =>
  value !== null && !isOfType(type, value);

/** Returns a fault for each given value of a parameter that doesn't exist. */
export const findUnknown = (
  parameters: readonly ReportParameter[],
  given: Readonly<Record<string, ParameterValue>>,
  pointer: string,
): Fault[] => {
  const names = new Set(parameters.map(({ name }) => name));
  return Object.keys(given)
    .filter((name) => !names.has(name))
    .slice(0, 100)
    .map((name) => ({
      pointer: `${pointer}${pointerTo(name)}`,
      code: 'unknown',
      message: 'is not a parameter of this report',
    }));
};
