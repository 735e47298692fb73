import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import type { Fault } from '#contract/problem.ts';
import { AtriumError } from '../../base/errors.ts';
import type { QueryParameter } from '../../engine/parameter-casts.ts';
import { descriptionOfType, isAllowed, isOfType, notAllowed } from '../content.ts';

/** Returns an error about the parameters in a body as one about those in a URL; any other error is returned unchanged. */
export function asUrlError(error: AtriumError): AtriumError {
  const { code, message, faults = [], cause } = error;
  return code === 'invalid_body' ? new AtriumError('invalid_parameters', message, { faults, cause }) : error;
}

/** Returns the allowed values of a parameter, or undefined if any value of its type is allowed. */
export type ListAllowed = (parameter: ReportParameter) => Promise<readonly string[] | undefined>;

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
  const resolved: QueryParameter[] = [];
  for (const parameter of parameters) {
    const { name, type } = parameter;
    const value = (Object.hasOwn(given, name) ? given[name] : parameter.default) ?? null;
    const fault = value === null ? undefined : await findFault(parameter, value, listAllowed);
    if (fault !== undefined) faults.push({ pointer: `${pointer}/${name}`, ...fault });
    resolved.push({ name, type, value });
  }
  if (faults.length > 0) {
    throw new AtriumError('invalid_body', 'Some parameters are not valid for this report.', { faults });
  }
  return resolved;
}

const findUnknown = (
  parameters: readonly ReportParameter[],
  given: Readonly<Record<string, ParameterValue>>,
  pointer: string,
): Fault[] => {
  const names = new Set(parameters.map(({ name }) => name));
  return Object.keys(given)
    .filter((name) => !names.has(name))
    .slice(0, 100)
    .map((name) => ({
      pointer: `${pointer}/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`,
      code: 'unknown',
      message: 'is not a parameter of this report',
    }));
};

async function findFault(
  parameter: ReportParameter,
  value: ParameterValue,
  listAllowed: ListAllowed,
): Promise<Omit<Fault, 'pointer'> | undefined> {
  const { type } = parameter;
  if (!isOfType(type, value)) return { code: 'type', message: `must be ${descriptionOfType[type]}` };
  const allowed = await listAllowed(parameter);
  return allowed === undefined || isAllowed(allowed, value)
    ? undefined
    : { code: 'allowed', message: notAllowed };
}
