import { newToken } from '../credentials/tokens.ts';

const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns what `JSON.parse` should return. V8 as of Node 26 sometimes reads an escaped key as another one that it has
 * seen before (nodejs/node#63785): after `{"a":0,"\\":1}`, the newline of `{"a":0,"\n":1}` is read as a backslash. So
 * keys with escapes are replaced by plain ones, and restored afterwards. A test in json.test.ts fails as soon as V8 is
 * fixed: then `JSON.parse` can replace this function. Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  if (!text.includes('\\')) return JSON.parse(text);
  // If the text isn't JSON, the error names the position in the original.
  const value: unknown = JSON.parse(text);
  const hidden = hideEscapedNames(text);
  return hidden.names.size === 0 ? value : restoreNames(JSON.parse(hidden.text), hidden.names);
}

/** Returns the end of the string that starts at `start`, or the end of the text if it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === backslash) index += 1;
    else if (character === quote) return index;
  }
  return text.length;
}

function hideEscapedNames(text: string): { text: string; names: ReadonlyMap<string, string> } {
  // Unguessable, so that no key in the text can be mistaken for one of these.
  const prefix = newToken();
  const names = new Map<string, string>();
  const parts: string[] = [];
  let copiedTo = 0;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', start)) {
    const end = endOfString(text, start) + 1;
    const raw = text.slice(start, end);
    if (raw.includes('\\') && isName(text, end)) {
      const placeholder = `${prefix}${names.size}`;
      names.set(placeholder, String(JSON.parse(raw)));
      parts.push(text.slice(copiedTo, start), `"${placeholder}"`);
      copiedTo = end;
    }
    start = end;
  }
  return { text: [...parts, text.slice(copiedTo)].join(''), names };
}

/** Whether the string before `index` is a key: a colon follows. */
function isName(text: string, index: number): boolean {
  let next = index;
  while (next < text.length && ' \t\n\r'.includes(text.charAt(next))) next += 1;
  return text[next] === ':';
}

function restoreNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => restoreNames(element, names));
  const members = Object.entries(value).map(([name, member]) => [
    names.get(name) ?? name,
    restoreNames(member, names),
  ]);
  return Object.fromEntries(members) as unknown;
}
