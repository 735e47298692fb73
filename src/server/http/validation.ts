import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { Pointer } from 'typebox/value';
import type { Fault } from '#contract/problem.ts';

const maxFaults = 100;
Settings.Set({ maxErrors: maxFaults });

/**
 * Returns every fault of a value, at most 100, or an empty list. Nothing is coerced, filled in or removed. What a text
 * must be that does not match its pattern, the schema says in `x-words`.
 */
export function faultFinder(schema: TSchema): (value: unknown) => Fault[] {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return [];
    return validator
      .Errors(value)
      .flatMap((error) => toFaults(error, schema))
      .slice(0, maxFaults);
  };
}

type ValidationError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

function toFaults(error: ValidationError, schema: TSchema): Fault[] {
  const pointer = error.instancePath;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${pointer}/${name}`,
        code: 'required',
        message: 'is required',
      }));
    // A member that a schema has closed itself to: told once with its own place, and once more with all of them.
    case 'boolean':
      return [{ pointer, code: 'unknown', message: 'is unknown here' }];
    case 'additionalProperties':
      return [];
    case 'type':
      return [{ pointer, code: 'type', message: `must be ${words(error.params.type)}` }];
    case 'pattern': {
      const words = wordsOfPattern(schema, error.schemaPath);
      return [
        { pointer, code: 'pattern', message: words === undefined ? error.message : `must be ${words}` },
      ];
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

function wordsOfPattern(schema: TSchema, schemaPath: string): string | undefined {
  const found = Pointer.Get(schema, schemaPath.replace(/^#/, ''));
  const words = typeof found === 'object' && found !== null && 'x-words' in found && found['x-words'];
  return typeof words === 'string' ? words : undefined;
}

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  integer: 'an integer',
  object: 'an object',
};

const words = (type: string | string[]): string =>
  [type]
    .flat()
    .map((name) => articles[name] ?? `a ${name}`)
    .join(' or ');

const count = (limit: number | bigint, noun: string): string =>
  `${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`;
