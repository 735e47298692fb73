import { globSync, readFileSync } from 'node:fs';
import { parse } from '@swc/core';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';

/** A regular expression of the program. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** The file or the route that contains it. */
  readonly place: string;
}

/** Returns the patterns in all schemas of the contract, and the regular expressions in the source of server and browser. */
export async function findPatterns(): Promise<Pattern[]> {
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/[.]test[.]|[.]d[.]ts$/.test(file));
  const inFiles = await Promise.all(
    files.map(async (file) => patternsInSource(readFileSync(file, 'utf8'), file)),
  );
  const inRoutes = routes.flatMap(patternsInRoute);
  return [...inFiles.flat(), ...inRoutes];
}

/**
 * Returns the regular expressions in a TypeScript source. Throws for one that is computed at run time, which can't be checked
 * here. A pattern of the contract may be used as a whole, since it is checked in its schema.
 */
export async function patternsInSource(text: string, file: string): Promise<Pattern[]> {
  const program = await parse(text, { syntax: 'typescript', tsx: file.endsWith('x') });
  const patterns: Pattern[] = [];
  visit(program, (node) => {
    if (node['type'] === 'RegExpLiteral') {
      patterns.push({ source: String(node['pattern']), flags: String(node['flags']), place: file });
    }
    if (isComputedPattern(node))
      throw new Error(`${file} computes a regular expression: write it as a literal.`);
  });
  return patterns;
}

/** Whether a node is `RegExp(…)`, with or without `new`, of anything but a constant whose name ends with `Pattern`. */
function isComputedPattern({ type, callee, arguments: passed }: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  if ((callee as { value?: unknown } | undefined)?.value !== 'RegExp') return false;
  const [first] = passed as readonly { expression: { type: string; value?: string } }[];
  return first?.expression.type !== 'Identifier' || !first.expression.value?.endsWith('Pattern');
}

/** Throws for a format that input is validated by. In what the server sends, formats only document the values. */
function patternsInRoute({ reply, problemReplies, ...request }: Route): Pattern[] {
  const place = `contract, ${request.id}`;
  const patterns: Pattern[] = [];
  visit([request, reply, problemReplies], ({ pattern }) => {
    if (typeof pattern === 'string') patterns.push({ source: pattern, flags: 'u', place });
  });
  visit(request, ({ format }) => {
    if (typeof format === 'string')
      throw new Error(`${place} has the format ${format}, which is a pattern of a library.`);
  });
  return patterns;
}

function visit(value: unknown, look: (node: Readonly<Record<string, unknown>>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  look(value as Readonly<Record<string, unknown>>);
  for (const member of Object.values(value)) visit(member, look);
}
