/** A value in an array or a row as PostgreSQL writes it; a list is a nested array. */
export type Literal = string | null | readonly Literal[];

/**
 * Reads an array as PostgreSQL writes it: `{1,NULL,"a\"b",{2}}`, with bounds `[0:1]=` before it where they are unusual. The
 * package `postgres-array` can't read types with a delimiter of their own, such as `box` with `;`, and takes three times as
 * long.
 */
export function readArray(text: string, delimiter = ','): readonly Literal[] {
  let index = text.indexOf('{');

  function readList(): Literal[] {
    const items: Literal[] = [];
    // Past the opening brace.
    index += 1;
    while (index < text.length && text[index] !== '}') {
      if (text[index] === '{') items.push(readList());
      else if (text[index] === '"') items.push(readQuoted());
      else items.push(readBare());
      if (text[index] === delimiter) index += 1;
    }
    index += 1;
    return items;
  }

  function readQuoted(): string {
    let value = '';
    for (index += 1; index < text.length && text[index] !== '"'; index += 1) {
      if (text[index] === '\\') index += 1;
      value += text[index] ?? '';
    }
    index += 1;
    return value;
  }

  function readBare(): string | null {
    const start = index;
    while (index < text.length && text[index] !== delimiter && text[index] !== '}') index += 1;
    const value = text.slice(start, index);
    return value === 'NULL' ? null : value;
  }

  return readList();
}

/** Reads a row as PostgreSQL writes it: `(1,"a ""b""",)`. An empty field without quotes is null. */
export function readRow(text: string): readonly (string | null)[] {
  const fields: (string | null)[] = [];
  let value: string | null = null;
  let isQuoted = false;
  for (let index = 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') {
      index += 1;
      value = (value ?? '') + text.charAt(index);
    } else if (character === '"') {
      if (isQuoted && text[index + 1] === '"') {
        index += 1;
        value = `${value ?? ''}"`;
      } else {
        isQuoted = !isQuoted;
        value ??= '';
      }
    } else if (!isQuoted && (character === ',' || character === ')')) {
      fields.push(value);
      value = null;
    } else {
      value = (value ?? '') + character;
    }
  }
  return fields;
}
