import { findArgumentsFault } from './arguments.ts';
import { expressionFunctions, tableFunctions } from './functions.ts';
import { findRefusal } from './refused.ts';
import { emptyFields, expressionTypes, fields, nodeTypes } from './syntax.ts';
import { collations, typeNames, types } from './types.ts';

/** A node of the tree that `json_serialize_sql` writes: any JSON object. */
type Node = Readonly<Record<string, unknown>>;

/** The tables that a query may read, and the views of DuckDB that it must not, in lower case. */
export interface Catalog {
  readonly tables: ReadonlySet<string>;
  readonly systemViews: ReadonlySet<string>;
  /** The error message of each table that can't be read, or is in the trash. */
  readonly unavailable: ReadonlyMap<string, string>;
}

/** A part of a query that is not allowed. */
export interface TreeFault {
  readonly message: string;
  /** In bytes. */
  readonly location?: number | undefined;
  /** A name that does not exist, and those that might have been meant. */
  readonly typo?: { readonly word: string; readonly candidates: readonly string[] };
}

const readableViews = new Set(['columns', 'schemata', 'tables', 'views']);

/** Returns the first part of the tree that is in none of our lists; undefined if every part is. */
export function findFault(root: unknown, catalog: Catalog): TreeFault | undefined {
  const commonTables = new Set<string>();
  for (const { node } of nodesOf(root)) {
    for (const { key } of commonTablesOf(node)) commonTables.add(textOf(key));
  }
  for (const { node, location, isTableFunction } of nodesOf(root)) {
    const fault =
      findShapeFault(node) ??
      findFunctionFault(node, isTableFunction) ??
      findTypeFault(node) ??
      findCollationFault(node) ??
      findTableFault(node, catalog, commonTables);
    if (fault !== undefined) return { location, ...fault };
  }
  return undefined;
}

interface Visit {
  readonly node: Node;
  /** The position of the node, or of the closest node around it that has one. */
  readonly location: number | undefined;
  readonly isTableFunction: boolean;
}

/** Yields each object of the tree, in the order of the text. */
function* nodesOf(root: unknown): Generator<Visit> {
  // A list instead of recursion, since the query decides how deep the tree is.
  const left: { value: unknown; location: number | undefined; isTableFunction: boolean }[] = [
    { value: root, location: undefined, isTableFunction: false },
  ];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, isTableFunction } = next;
    if (typeof value !== 'object' || value === null) continue;
    let { location } = next;
    if (!Array.isArray(value)) {
      const node = value as Node;
      // DuckDB writes the largest 64-bit number for a node that is not in the text.
      if (Number.isSafeInteger(node.query_location)) location = Number(node.query_location);
      yield { node, location, isTableFunction };
    }
    const children = Object.entries(value as Node);
    const isInFrom = (value as Node).type === 'TABLE_FUNCTION';
    for (const [key, child] of children.toReversed()) {
      left.push({ value: child, location, isTableFunction: isInFrom && key === 'function' });
    }
  }
}

function commonTablesOf(node: Node): readonly Node[] {
  const { map } = (node.cte_map ?? {}) as { map?: readonly Node[] };
  return map ?? [];
}

/** Refuses unknown kinds of nodes, unknown fields, and values in fields that must be empty. */
function findShapeFault(node: Node): TreeFault | undefined {
  const { class: expressionClass, type } = node;
  const isKnown =
    expressionClass === undefined
      ? typeof type !== 'string' || nodeTypes.has(type)
      : expressionTypes.get(expressionClass)?.has(type) === true;
  if (!isKnown) return { message: `Queries cannot use this kind of SQL (${String(type)}).` };
  for (const [field, value] of Object.entries(node)) {
    const isEmpty = value === null || value === false || value === '';
    if (!fields.has(field) || (emptyFields.has(field) && !isEmpty)) {
      return { message: `Queries cannot use this kind of SQL (${field}).` };
    }
  }
  return undefined;
}

/** Checks a function by its name, ignoring its qualifier: in `name.upper()`, that is a column, not a schema. */
function findFunctionFault(node: Node, isTableFunction: boolean): TreeFault | undefined {
  if (node.class !== 'FUNCTION' && node.class !== 'WINDOW') return undefined;
  const name = textOf(node.function_name);
  const [allowed, others] = isTableFunction
    ? [tableFunctions, expressionFunctions]
    : [expressionFunctions, tableFunctions];
  if (allowed.has(name)) {
    const message = findArgumentsFault(name, node);
    return message === undefined ? undefined : { message };
  }
  const refusal = findRefusal(name);
  if (refusal !== undefined) {
    const { reason, instead } = refusal;
    return { message: `The function ${name} cannot be used: ${reason}.${instead ? ` ${instead}` : ''}` };
  }
  if (others.has(name)) {
    return { message: `The function ${name} can only be used in ${isTableFunction ? 'SELECT' : 'FROM'}.` };
  }
  return { message: `The function ${name} does not exist.`, typo: { word: name, candidates: [...allowed] } };
}

function findTypeFault(node: Node): TreeFault | undefined {
  if (!('type_info' in node)) return undefined;
  const { alias, name, schema, catalog } = (node.type_info ?? {}) as Node;
  if (node.id !== 'UNBOUND') {
    if (types.has(String(node.id)) && !alias) return undefined;
    return { message: `The type ${String(alias || node.id)} cannot be used.` };
  }
  const word = textOf(name);
  if (typeNames.has(word) && !alias && !schema && !catalog) return undefined;
  return {
    message: `The type ${String(name)} does not exist or cannot be used.`,
    typo: { word, candidates: [...typeNames] },
  };
}

function findCollationFault({ collation }: Node): TreeFault | undefined {
  const name = textOf(collation);
  return name === '' || name.split('.').every((part) => collations.has(part))
    ? undefined
    : { message: `The collation ${name} does not exist.` };
}

function findTableFault(
  node: Node,
  { tables, systemViews, unavailable }: Catalog,
  commonTables: ReadonlySet<string>,
): TreeFault | undefined {
  if (node.type === 'SHOW_REF') return findShowFault(node);
  if (node.type !== 'BASE_TABLE') return undefined;
  const catalogName = textOf(node.catalog_name);
  const schema = textOf(node.schema_name);
  const name = textOf(node.table_name);
  if (catalogName !== '') return { message: `The schema ${catalogName} does not exist.` };
  switch (schema) {
    case '':
      if (commonTables.has(name) && !systemViews.has(name) && !/[^\p{L}\p{N}_$ -]/u.test(name))
        return undefined;
      break;
    case 'main':
      break;
    case 'recurring':
      // A recursive query with USING KEY refers to all of its rows so far by this schema.
      if (commonTables.has(name)) return undefined;
      break;
    case 'information_schema':
      if (readableViews.has(name)) return undefined;
      break;
    default:
      return { message: `The schema ${schema} does not exist.` };
  }
  if (schema === '' || schema === 'main') {
    const message = unavailable.get(name);
    if (message !== undefined) return { message };
    if (tables.has(name)) return undefined;
  }
  return {
    message: `The table ${String(node.table_name)} does not exist.`,
    typo: { word: name, candidates: [...tables, ...commonTables] },
  };
}

/** DESCRIBE and SUMMARIZE contain a query, which is checked like any other. Without a query, only SHOW TABLES is allowed. */
function findShowFault({ query, show_type: type, table_name: name }: Node): TreeFault | undefined {
  const isAllowed = query !== null || (type === 'SHOW_UNQUALIFIED' && name === '"tables"');
  return isAllowed ? undefined : { message: 'Only SHOW TABLES, DESCRIBE and SUMMARIZE can be used.' };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
