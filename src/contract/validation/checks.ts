import type { TSchema } from 'typebox';
import { isFull, report, type Check, type Findings } from './findings.ts';
import { unionCheck } from './union-check.ts';
import { hasType, messages, valueChecks, type ValueKeywords } from './value-checks.ts';

/** The keywords of JSON Schema that the contract uses. */
export interface Keywords extends ValueKeywords {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | TSchema;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly propertyNames?: TSchema;
  readonly maxProperties?: number;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly TSchema[];
}

const supported: Readonly<Record<keyof Keywords, true>> = {
  type: true,
  const: true,
  enum: true,
  minLength: true,
  maxLength: true,
  pattern: true,
  'x-expected': true,
  minimum: true,
  maximum: true,
  exclusiveMinimum: true,
  properties: true,
  required: true,
  additionalProperties: true,
  patternProperties: true,
  propertyNames: true,
  maxProperties: true,
  items: true,
  minItems: true,
  maxItems: true,
  uniqueItems: true,
  anyOf: true,
};
/** Keywords that describe, and check nothing. */
const annotations: ReadonlySet<string> = new Set([
  'description',
  'examples',
  'default',
  'title',
  'writeOnly',
]);

/**
 * Returns the check of a schema. Its time is linear in the size of the value: what is too long isn't checked any further, a union
 * checks only the branch that the value names, and nothing is checked once there are `maxFaults`.
 */
export function checkOf(schema: TSchema): Check {
  for (const keyword of Object.keys(schema))
    if (!(keyword in supported) && !annotations.has(keyword) && !keyword.startsWith('x-'))
      throw new Error(`The keyword ${keyword} is not supported.`);
  // Sound because every other keyword was refused.
  const keywords = schema as Keywords;
  const checks = [
    ...valueChecks(keywords),
    ...arrayCheck(keywords),
    ...objectCheck(keywords),
    ...(keywords.anyOf === undefined ? [] : [unionCheck(keywords.anyOf, checkOf)]),
  ];
  const [first, ...others] = checks;
  if (first !== undefined && others.length === 0) return first;
  return (value, findings) => {
    for (const check of checks) check(value, findings);
  };
}

function arrayCheck({ items, minItems = 0, maxItems = Infinity, uniqueItems }: Keywords): Check[] {
  if (items === undefined && minItems === 0 && maxItems === Infinity && uniqueItems !== true) return [];
  const checkItem = items && checkOf(items);
  return [
    (value, findings) => {
      if (!Array.isArray(value)) return;
      const { length } = value;
      if (length < minItems) report(findings, 'minItems', messages.minItems(minItems));
      if (length > maxItems) report(findings, 'maxItems', messages.maxItems(maxItems));
      if (uniqueItems === true && length <= maxItems && hasDuplicate(value))
        report(findings, 'uniqueItems', messages.uniqueItems());
      const checked = Math.min(length, maxItems);
      for (let index = 0; index < checked && !isFull(findings); index += 1)
        if (checkItem !== undefined) checkAt(index, checkItem, value[index], findings);
    },
  ];
}

/** Only values without parts are unique in the contract. */
const hasDuplicate = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

const isObject = hasType({ type: 'object' });

function objectCheck(schema: Keywords): Check[] {
  const { properties = {}, required = [], maxProperties = Infinity } = schema;
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    check: checkOf(member),
    isRequired: required.includes(name),
  }));
  // A member can be required without a schema of its own.
  const others = required.filter((name) => !(name in properties));
  const checkOthers = undeclaredCheck(schema);
  if (members.length + others.length === 0 && checkOthers === undefined && maxProperties === Infinity)
    return [];
  return [
    (value, findings) => {
      if (!isObject(value)) return;
      // Sound because it is an object.
      const object = value as Readonly<Record<string, unknown>>;
      for (const { name, check, isRequired } of members) {
        if (isFull(findings)) return;
        const isAbsent = !Object.hasOwn(object, name) || object[name] === undefined;
        if (!isAbsent) checkAt(name, check, object[name], findings);
        else if (isRequired) report(findings, 'required', messages.required(), name);
      }
      for (const name of others)
        if (!Object.hasOwn(object, name)) report(findings, 'required', messages.required(), name);
      if (maxProperties !== Infinity && Object.keys(object).length > maxProperties)
        report(findings, 'maxProperties', messages.maxProperties(maxProperties));
      else checkOthers?.(object, findings);
    },
  ];
}

/** Returns the check of the names of all members, and of the values of those that aren't in `properties`. */
function undeclaredCheck(
  schema: Keywords,
): ((object: Readonly<Record<string, unknown>>, findings: Findings) => void) | undefined {
  const { properties = {}, additionalProperties = true, patternProperties = {}, propertyNames } = schema;
  const declared: ReadonlySet<string> = new Set(Object.keys(properties));
  const patterns = Object.entries(patternProperties).map(([namePattern, member]) => ({
    pattern: new RegExp(namePattern, 'u'),
    check: checkOf(member),
  }));
  const checkName = propertyNames && checkOf(propertyNames);
  const checkOther = typeof additionalProperties === 'object' ? checkOf(additionalProperties) : undefined;
  if (additionalProperties === true && patterns.length === 0 && checkName === undefined) return undefined;
  return (object, findings) => {
    for (const name in object) {
      if (isFull(findings)) return;
      if (!Object.hasOwn(object, name)) continue;
      if (checkName !== undefined) checkAt(name, checkName, name, findings);
      if (declared.has(name)) continue;
      const matching = patterns.filter(({ pattern }) => pattern.test(name));
      for (const { check } of matching) checkAt(name, check, object[name], findings);
      if (matching.length > 0) continue;
      if (additionalProperties === false) report(findings, 'unknown', messages.unknown(), name);
      else if (checkOther !== undefined) checkAt(name, checkOther, object[name], findings);
    }
  };
}

function checkAt(key: string | number, check: Check, value: unknown, findings: Findings): void {
  findings.path.push(key);
  check(value, findings);
  findings.path.pop();
}
