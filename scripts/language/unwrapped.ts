import type { Node } from 'oxc-parser';
import { lineAt, walk, type Source } from './sources.ts';

/** Attributes and properties whose texts people see or hear. */
const textNames: ReadonlySet<string> = new Set([
  'label',
  'title',
  'description',
  'placeholder',
  'aria-label',
  'alt',
  'message',
  'action',
  'cancelLabel',
  'nothingFoundMessage',
  'emptyTitle',
  'legend',
]);

/** The same, without the names that properties of objects have for other things. */
const textProperties: ReadonlySet<string> = new Set([...textNames].filter((name) => name !== 'action'));

/** Functions whose first argument people read. */
const textFunctions: ReadonlySet<string> = new Set(['notifyDone', 'announce', 'useDocumentTitle']);

/** Names that are the same in every language. */
const names: ReadonlySet<string> = new Set(['Atrium', 'SQL', 'PDF', 'PostgreSQL', 'API']);

/** Commands of the operator, examples of names and addresses, and placeholders of queries. */
const code = /^atrium |^[a-z]+[.][a-z.]+$|^\{\{\w+\}\}$|^x+-x|@contoso[.]com|^Atrium[.]/;

const isText = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && !code.test(text) && !names.has(text.replace('·', '').trim());

/** Returns the texts of a source file that people see in any language as they are written, each with its place. */
export function unwrappedTexts(source: Source): string[] {
  const found: string[] = [];
  const check = (node: Node | null | undefined): void => {
    const texts = node === null || node === undefined ? [] : literalTexts(node);
    if (node && texts.some(isText))
      found.push(`${source.path}:${lineAt(source, node.start)}: ${texts.join('…')}`);
  };
  walk(source.program, (node, [parent]) => {
    if (node.type === 'JSXText') {
      if (isText(node.value))
        found.push(`${source.path}:${lineAt(source, node.start)}: ${node.value.trim()}`);
    } else if (node.type === 'JSXExpressionContainer') {
      if (parent?.type !== 'JSXAttribute' || isOfText(parent.name)) check(node.expression);
    } else if (node.type === 'JSXAttribute') {
      if (isOfText(node.name) && node.value?.type === 'Literal') check(node.value);
    } else if (node.type === 'Property') {
      if (node.key.type === 'Identifier' && textProperties.has(node.key.name)) check(node.value);
    } else if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
      if (textFunctions.has(node.callee.name)) check(node.arguments[0]);
    }
  });
  return found;
}

const isOfText = (name: Node): boolean => name.type === 'JSXIdentifier' && textNames.has(name.name);

/** Returns the literal texts that an expression may be: of a literal, a template, or either side of a condition. */
function literalTexts(node: Node): string[] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return node.quasis.map(({ value }) => value.cooked ?? '');
    case 'ConditionalExpression':
      return [...literalTexts(node.consequent), ...literalTexts(node.alternate)];
    case 'LogicalExpression':
      return [...literalTexts(node.left), ...literalTexts(node.right)];
    default:
      return [];
  }
}
