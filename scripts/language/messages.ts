import { lineAt, walk, type Source } from './sources.ts';

/** A message that a source file writes with `t` or `rich`. */
export interface MessageUse {
  readonly message: string;
  /** Whether `<b>` in the message is an element. */
  readonly hasElements: boolean;
  /** Whether `{name}` in the message is a placeholder. */
  readonly hasValues: boolean;
  readonly place: string;
}

const functions: ReadonlySet<string> = new Set(['t', 'rich']);

/** Returns the messages of a source file, and the places whose message isn't a literal text, which no catalog could contain. */
export function messagesIn(source: Source): { readonly uses: MessageUse[]; readonly faults: string[] } {
  const uses: MessageUse[] = [];
  const faults: string[] = [];
  walk(source.program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    if (!functions.has(node.callee.name)) return;
    const place = `${source.path}:${lineAt(source, node.start)}`;
    const [message] = node.arguments;
    if (message?.type === 'Literal' && typeof message.value === 'string')
      uses.push({
        message: message.value,
        hasElements: node.callee.name === 'rich',
        hasValues: node.arguments.length > 1,
        place,
      });
    else faults.push(place);
  });
  return { uses, faults };
}
