import parse from 'format-message-parse';
import { numberFormat } from '../region/intl.ts';

/** A value of a message: a text or number, or in a message with elements whatever the page shows. */
export type Values<Value> = Readonly<Record<string, Value>>;

/** Puts the content of an element, such as `<b>…</b>`, into what the page shows. */
export type Wrap<Value> = (tag: string, content: readonly (string | Value)[]) => Value;

const parsed = new Map<string, parse.AST>();
const rules = new Map<string, Intl.PluralRules>();

/** Returns the parts of a message in ICU MessageFormat. Throws if it can't be parsed. */
export function parseMessage(message: string, hasElements: boolean): parse.AST {
  const key = `${hasElements ? '<' : ' '}${message}`;
  const known = parsed.get(key) ?? parse(message, hasElements ? { tagsType: '<>' } : {});
  parsed.set(key, known);
  return known;
}

/** Writes a message with its values: numbers as the organization writes them, plurals as the language has them. */
export function formatMessage<Value>(
  message: string,
  language: string,
  values: Values<Value | string | number>,
  wrap?: Wrap<Value>,
): readonly (string | Value)[] {
  const write = (elements: parse.AST, count: number): readonly (string | Value)[] =>
    elements.flatMap((element) =>
      typeof element === 'string' ? [element] : writePlaceholder(element, count),
    );

  const writePlaceholder = (
    [name, type, detail, options]: readonly [string, string?, unknown?, unknown?],
    count: number,
  ): readonly (string | Value)[] => {
    if (name === '#') return [numberFormat().format(count)];
    const value = values[name];
    if (type === undefined) return value === undefined ? [`{${name}}`] : [written(value)];
    if (type === '<>') {
      const content = write(submessage(detail, 'children'), count);
      return wrap === undefined ? content : [wrap(name, content)];
    }
    if (type === 'plural') {
      const number = Number(value);
      const chosen = Object.hasOwn(options as object, `=${number}`)
        ? `=${number}`
        : pluralRules(language).select(number);
      return write(submessage(options, chosen), number - Number(detail));
    }
    return write(submessage(detail, String(value)), count);
  };
  return write(parseMessage(message, wrap !== undefined), 0);
}

function written<Value>(value: Value | string | number): string | Value {
  return typeof value === 'number' ? numberFormat().format(value) : value;
}

/** Returns the variant of a plural or choice, or the one for all others. */
function submessage(options: unknown, name: string): parse.AST {
  const variants = options as parse.SubMessages;
  return (Object.hasOwn(variants, name) ? variants[name] : variants['other']) ?? [];
}

function pluralRules(language: string): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return known;
}
