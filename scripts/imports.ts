import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';

import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractCruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const folders = ['src', 'tests', 'bench', 'scripts'];
const rulesFile = resolve(import.meta.dirname, '..', '.dependency-cruiser.mjs');

/** The forbidden imports of a source tree. */
export interface ImportReport {
  /** One line for each forbidden import, sorted: `rule: from → to`. Empty if there are none. */
  readonly faults: readonly string[];
  readonly cruisedCount: number;
}

/**
 * Checks the imports of `src`, `tests`, `bench` and `scripts` under `root` against .dependency-cruiser.mjs. A source file
 * that dependency-cruiser did not read is a fault too, since a parser that reads nothing finds nothing.
 */
export async function checkImports(root: string): Promise<ImportReport> {
  if (!existsSync(resolve(root, 'src'))) {
    return { faults: ['src: there is no such directory'], cruisedCount: 0 };
  }
  const options = await extractCruiseOptions(rulesFile);
  const { output } = await cruise(
    folders.filter((folder) => existsSync(resolve(root, folder))),
    { ...options, baseDir: resolve(root) },
    options.enhancedResolveOptions,
  );
  if (typeof output === 'string') throw new TypeError('dependency-cruiser answered with text');
  const reasons = new Map(options.ruleSet?.forbidden?.map((rule) => [rule.name, rule.comment]));
  return judge(
    output,
    globSync([`{${folders.join(',')}}/**/*.{ts,tsx}`, 'src/*.js', 'src/server/**/*.js'], { cwd: root }),
    reasons,
  );
}

function judge(
  result: ICruiseResult,
  sourceFiles: readonly string[],
  reasons: ReadonlyMap<string | undefined, string | undefined>,
): ImportReport {
  const faults = result.summary.violations.map((violation) => {
    const { name } = violation.rule;
    const path = violation.cycle?.map((step) => step.name).join(' → ') ?? violation.to;
    const target = path === violation.from ? '' : ` → ${path}`;
    return `${name}: ${violation.from}${target} (${reasons.get(name) ?? ''})`;
  });
  const cruised = new Set(result.modules.map((module) => module.source));
  for (const file of sourceFiles.map((name) => name.replaceAll('\\', '/'))) {
    if (!cruised.has(file)) faults.push(`not-cruised: ${file} (dependency-cruiser did not read it.)`);
  }
  return { faults: faults.toSorted(), cruisedCount: sourceFiles.length };
}

if (import.meta.main) {
  const { faults, cruisedCount } = await checkImports(process.cwd());
  for (const fault of faults) console.error(fault);
  console.log(`${cruisedCount} modules, ${faults.length} faults`);
  process.exitCode = faults.length === 0 && cruisedCount > 0 ? 0 : 1;
}
