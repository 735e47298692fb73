import { parseRegExpLiteral, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import type { Pattern } from './patterns.ts';

/** A kind of input that may be slow to match. */
export interface HostileInput {
  readonly description: string;
  /** Returns an input of about `length` characters. */
  make(length: number): string;
}

/** Texts after the repeated part, which make the match fail after everything else has matched. */
const ends = ['', '\0', '\n', '!', ' ', 'a'];

/**
 * Returns the worst inputs for a backtracking engine: each repeated part of the pattern many times, after a text that leads to
 * it and before a text that doesn't match; and each start of the pattern many times, since a search tries it again at every
 * position.
 */
export function hostileInputs({ source, flags }: Pattern): HostileInput[] {
  const { pattern } = parseRegExpLiteral(new RegExp(source, flags));
  const samples = createSamples(pattern, flags);
  const inputs = new Map<string, HostileInput>();
  const add = (before: string, repeated: string) => {
    if (repeated === '') return;
    for (const end of ends) {
      const description = `${JSON.stringify(before)} + ${JSON.stringify(repeated)} × n + ${JSON.stringify(end)}`;
      const make = (length: number) => before + repeated.repeat(Math.ceil(length / repeated.length)) + end;
      inputs.set(description, { description, make });
    }
  };
  visitAlternatives(pattern.alternatives, '', samples, (before, repeated) => {
    add(before, repeated);
    add('', before + repeated);
    add('', before);
  });
  return [...inputs.values()];
}

/** Returns texts that match an element; none for elements that match no text. */
type Samples = (element: AST.Element) => string[];
type Found = (before: string, repeated: string) => void;

/** Calls `found` for each part that can be repeated, with the text before it. Returns a text that matches each alternative. */
function visitAlternatives(
  alternatives: readonly AST.Alternative[],
  before: string,
  samples: Samples,
  found: Found,
): string[] {
  return alternatives.map(({ elements }) => {
    let text = before;
    for (const element of elements) {
      const inner = element.type === 'Quantifier' ? element.element : element;
      if (element.type === 'Quantifier') for (const sample of samples(inner)) found(text, sample);
      if (inner.type === 'Group' || inner.type === 'CapturingGroup')
        visitAlternatives(inner.alternatives, text, samples, found);
      const times = element.type === 'Quantifier' ? Math.min(Math.max(1, element.min), 64) : 1;
      text += (samples(inner)[0] ?? '').repeat(times);
    }
    return text;
  });
}

/** Characters that patterns treat differently. */
const characters = Array.from(' \t\n\0a0Z_-.,:;/\\"\'$%&<>()[]{}@#?=+*!|~\u00a0\u00e9\u0301\u200b\u2028😀');

function createSamples(pattern: AST.Pattern, flags: string): Samples {
  const matchers = new Map<string, RegExp>();
  const matcherOf = ({ raw }: AST.Node): RegExp => {
    const matcher = matchers.get(raw) ?? new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
    matchers.set(raw, matcher);
    return matcher;
  };
  const noteMatcher = (node: AST.Node): void => {
    // A member of a class is tested with its class.
    if (node.parent?.type === 'Alternative' || node.parent?.type === 'Quantifier') matcherOf(node);
  };
  visitRegExpAST(pattern, {
    onCharacterEnter: noteMatcher,
    onCharacterSetEnter: noteMatcher,
    onCharacterClassEnter: noteMatcher,
  });
  // One of all characters that no part of the pattern distinguishes is enough.
  const known = [...matchers.values()];
  const signature = (character: string) => known.map((matcher) => matcher.test(character)).join();
  const distinct = [...Map.groupBy(characters, signature).values()].flatMap(([first = '']) => first);

  return function samples(element) {
    switch (element.type) {
      case 'Character':
        return [String.fromCodePoint(element.value)];
      case 'CharacterClass':
      case 'CharacterSet':
        return distinct.filter((character) => matcherOf(element).test(character));
      case 'Group':
      case 'CapturingGroup':
        return visitAlternatives(element.alternatives, '', samples, () => {});
      case 'Quantifier':
        return samples(element.element);
      default:
        return [];
    }
  };
}
