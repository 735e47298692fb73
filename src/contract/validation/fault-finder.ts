import type { TSchema } from 'typebox';
import { Compile, Pointer } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { Fault } from '../problem.ts';
import { discriminators, longArrayCutter, withLengthsFirst } from './length-first.ts';

/** How many faults of a request are listed. */
export const maxFaults = 100;

// The faults of the branches of a union that were not selected count as well.
Settings.Set({ maxErrors: 10 * maxFaults });

/**
 * Returns every fault of a value, at most 100, or an empty list. Nothing is coerced, filled in or removed. If a text
 * does not match its pattern, the message is the schema's `x-expected`. Values that are too long are not checked any
 * further: neither the pattern of a text, nor the elements of an array beyond its maximum length.
 */
export function faultFinder(schema: TSchema): (value: unknown) => Fault[] {
  const validator = Compile(withLengthsFirst(schema));
  const cut = longArrayCutter(schema) ?? ((value: unknown) => value);
  return (value) => {
    if (validator.Check(value)) return [];
    const [, errors] = validator.Errors(cut(value));
    return withoutOtherBranches(errors)
      .flatMap((error) => toFaults(error, schema))
      .slice(0, maxFaults);
  };
}

type ValidationError = ReturnType<ReturnType<typeof Compile>['Errors']>[1][number];

/**
 * Returns, for each union, only the faults of the selected branch, which those of the other branches would hide. If no
 * branch is selected, one fault lists them. The error of a union follows those inside it, so the innermost is first.
 */
function withoutOtherBranches(errors: readonly ValidationError[]): ValidationError[] {
  const kept: ValidationError[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    const path = `${error.schemaPath}/anyOf/`;
    const isWithin = ({ schemaPath, instancePath }: ValidationError) =>
      schemaPath.startsWith(path) && `${instancePath}/`.startsWith(`${error.instancePath}/`);
    const first = kept.findLastIndex((one) => !isWithin(one)) + 1;
    kept.push(...ofSelectedBranch(kept.splice(first), path));
  }
  return kept;
}

function ofSelectedBranch(members: readonly ValidationError[], path: string): ValidationError[] {
  const branches = [...Map.groupBy(members, ({ schemaPath }) => branchOf(schemaPath, path))];
  const refusals = branches.map(([branch, of]) => of.find((error) => refusesBranch(error, branch)));
  const selected = branches.flatMap(([, of], index) => (refusals[index] === undefined ? of : []));
  if (selected.length > 0) return selected;
  return summaryOf(refusals.filter((error) => error !== undefined));
}

const branchOf = (schemaPath: string, path: string): string =>
  path + schemaPath.slice(path.length).replace(/\/.*/s, '');

function refusesBranch({ keyword, schemaPath, params }: ValidationError, branch: string): boolean {
  if (keyword === 'const')
    return discriminators.some((name) => schemaPath === `${branch}/properties/${name}`);
  if (schemaPath !== branch) return false;
  if (keyword === 'required') return params.requiredProperties.some((name) => discriminators.includes(name));
  return keyword === 'type';
}

function summaryOf(refusals: readonly ValidationError[]): ValidationError[] {
  const [first] = refusals;
  if (first?.keyword === 'required') {
    const requiredProperties = first.params.requiredProperties.filter((name) =>
      discriminators.includes(name),
    );
    return [{ ...first, params: { requiredProperties } }];
  }
  if (first?.keyword === 'type') return [first];
  if (first?.keyword !== 'const') return [];
  const allowedValues = refusals.flatMap((error) =>
    error.keyword === 'const' ? [error.params.allowedValue] : [],
  );
  return [{ ...first, keyword: 'enum', params: { allowedValues } }];
}

function toFaults(error: ValidationError, schema: TSchema): Fault[] {
  const pointer = error.instancePath;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${pointer}/${name}`,
        code: 'required',
        message: 'is required',
      }));
    // An additional member that the schema forbids: it is reported once at its own place, and once more for all of
    // them.
    case 'boolean':
      return [{ pointer, code: 'unknown', message: 'is not a known member' }];
    case 'additionalProperties':
      return [];
    case 'type':
      return [{ pointer, code: 'type', message: `must be ${nameOfType(error.params.type)}` }];
    case 'pattern': {
      return [{ pointer, code: 'pattern', message: messageOfPattern(schema, error.schemaPath) }];
    }
    case 'const':
      return [{ pointer, code: 'const', message: `must be ${JSON.stringify(error.params.allowedValue)}` }];
    case 'enum':
      return [{ pointer, code: 'enum', message: `must be one of ${error.params.allowedValues.join(', ')}` }];
    case 'minLength':
      return [
        {
          pointer,
          code: 'minLength',
          message: `must have at least ${count(error.params.limit, 'character')}`,
        },
      ];
    case 'maxLength':
      return [
        {
          pointer,
          code: 'maxLength',
          message: `must have at most ${count(error.params.limit, 'character')}`,
        },
      ];
    case 'minItems':
      return [
        { pointer, code: 'minItems', message: `must have at least ${count(error.params.limit, 'element')}` },
      ];
    default:
      return [{ pointer, code: error.keyword, message: error.message }];
  }
}

function messageOfPattern(schema: TSchema, schemaPath: string): string {
  // Sound because a pattern failed there.
  const found = Pointer.Get(schema, schemaPath.replace(/^#/, '')) as {
    pattern: string;
    'x-expected'?: string;
  };
  const expected = found['x-expected'];
  return expected === undefined ? `must match pattern "${found.pattern}"` : `must be ${expected}`;
}

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  integer: 'an integer',
  object: 'an object',
};

const nameOfType = (type: string | string[]): string =>
  [type]
    .flat()
    .map((name) => articles[name] ?? `a ${name}`)
    .join(' or ');

const count = (limit: number | bigint, noun: string): string =>
  `${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`;
