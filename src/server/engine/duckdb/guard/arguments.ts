import { aggregateFunctions } from './functions.ts';

type Node = Readonly<Record<string, unknown>>;

const aggregatingFunctions = new Set([
  'aggregate',
  'array_aggr',
  'array_aggregate',
  'list_aggr',
  'list_aggregate',
]);

/** Returns what is wrong with the arguments of an allowed function; `name` is in lower case. */
export function findArgumentsFault(name: string, call: Node): string | undefined {
  if (aggregatingFunctions.has(name)) {
    const isValid = isAggregateName(argumentsFrom(call, 1)[0]);
    return isValid
      ? undefined
      : `The second argument of ${name} must be the quoted name of an aggregate function, as in list_aggregate(list, 'sum').`;
  }
  if (name === 'regexp_extract') {
    const isValid = argumentsFrom(call, 2).every(isGroup);
    // DuckDB fails internally on a list of names that is null.
    return isValid
      ? undefined
      : "The third argument of regexp_extract must be a number, or a list of names such as ['year', 'month'].";
  }
  return undefined;
}

/** Returns the arguments from an index on. In `text.regexp_extract(…)`, the parser puts the first one in the schema. */
function argumentsFrom({ schema, children }: Node, index: number): readonly Node[] {
  const isMethod = schema !== '' && schema !== 'main';
  return (children as readonly Node[]).slice(isMethod ? index - 1 : index);
}

function isAggregateName(node: Node | undefined): boolean {
  const { value } = (node?.value ?? {}) as Node;
  return (
    node?.class === 'CONSTANT' && typeof value === 'string' && aggregateFunctions.has(value.toLowerCase())
  );
}

function isGroup(node: Node): boolean {
  switch (node.class) {
    case 'CONSTANT':
      return (node.value as Node).is_null === false;
    case 'FUNCTION':
      return node.function_name === 'list_value';
    case 'OPERATOR':
      return node.type === 'ARRAY_CONSTRUCTOR';
    case 'CAST':
      return /^(BIGINT|INTEGER)$/.test(String((node.cast_type as Node).id));
    default:
      return false;
  }
}
