import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { problems } from '#contract/problem.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Returns the codes of refusals, reasons and checks in the source files. */
export function codesInSource(): { shared: string[]; refusals: string[]; entra: string[] } {
  const files = globSync('src/server/sso/**/*.ts', { cwd: fileURLToPath(root) }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const text = files.map(read).join('\n');
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, code = '']) => code);
  const checks = found(/\bcheck\(\s*'(\w+)'/g);
  // A failed check refuses a sign-in with its own code.
  const refusals = [
    ...found(/new (?:SignIn|Callback)Refusal\(\s*'(\w+)'/g),
    ...found(/'(address_refused|provider_unreachable|provider_error|tenant_required)'/g),
    ...checks.map((code) => `${code}_refused`),
  ];
  const shared = [
    ...refusals,
    ...checks,
    ...found(/\bcode: '(\w+)',\s*(?:message|passed)/g),
    ...[...read('src/server/accounts/failed-sign-ins.ts').matchAll(/'(wrong_\w+)'/g)].map(
      ([, code = '']) => code,
    ),
  ];
  // Faults of a request's body are reported at their place.
  const own = (codes: readonly string[]) =>
    [...new Set(codes)]
      .filter((code) => !(code in problems) && !['time', 'person', 'provider'].includes(code))
      .toSorted();
  return {
    shared: own(shared),
    refusals: own(refusals),
    entra: [...read('src/server/sso/protocol/entra-errors.ts').matchAll(/^ {2}(AADSTS\d+): /gm)].map(
      ([, code = '']) => code,
    ),
  };
}
