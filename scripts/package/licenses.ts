import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShippedPackage } from './shipped-packages.ts';

/** Licenses that ask for no more than that their text is passed on with a copy. */
const allowedLicenses: ReadonlySet<string> = new Set(
  'MIT MIT-0 ISC BSD-2-Clause BSD-3-Clause 0BSD Apache-2.0 BlueOak-1.0.0 CC0-1.0 OFL-1.1 Unlicense'.split(
    ' ',
  ),
);

/** Atrium's license is the Apache License, whose text is the same for all. */
const ownLicense = join(import.meta.dirname, '..', '..', 'LICENSE');

const licenseFile = /^(licen[cs]es?|copying|notice)([.-]|$)/i;
const readmeFile = /^readme/i;
/** A section of a README, with its heading, up to the next heading. */
const licenseSection = /^#+ *licen[cs]e.*\n(?:(?!#).*\n?)*/im;

/**
 * Returns the names, versions and complete licenses of packages. Throws if a license isn't on the list of allowed ones, or if
 * its text is missing.
 */
export const thirdPartyLicenses = (root: string, packages: readonly ShippedPackage[]): string =>
  packages
    .map((shipped) => {
      if (!isAllowed(shipped.license))
        throw new Error(
          `${shipped.name} has the license ${shipped.license}, which scripts/package/licenses.ts does not allow.`,
        );
      return `${'='.repeat(80)}\n${shipped.name} ${shipped.version}: ${shipped.license}\n\n${licenseText(root, shipped)}\n`;
    })
    .join('\n');

/** Whether an SPDX expression is allowed: with `OR`, one license is enough. */
function isAllowed(expression: string): boolean {
  const [, inside] = /^\(([^()]*)\)$/.exec(expression) ?? [];
  return (inside ?? expression)
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((license) => allowedLicenses.has(license)));
}

function licenseText(root: string, { name, license, path }: ShippedPackage): string {
  const directory = join(root, path);
  const files = readdirSync(directory, { withFileTypes: true });
  const texts = files
    .filter((file) => licenseFile.test(file.name))
    .flatMap((file) => textsIn(join(directory, file.name), file.isDirectory()));
  if (texts.length > 0) return texts.join('\n\n');
  const readme = files.find((file) => readmeFile.test(file.name));
  const section = readme && licenseSection.exec(readFileSync(join(directory, readme.name), 'utf8'))?.[0];
  if (section?.includes('Permission is hereby granted')) return section.trim();
  const holder = authorOf(directory) ?? `The authors of ${name}`;
  if (license === 'MIT') return mitLicense(holder);
  if (license === 'Apache-2.0') return `Copyright ${holder}\n\n${readFileSync(ownLicense, 'utf8').trim()}`;
  throw new Error(`${name} has no text of its license ${license}.`);
}

const textsIn = (path: string, isDirectory: boolean): readonly string[] =>
  isDirectory
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').trim())
    : [readFileSync(path, 'utf8').trim()];

function authorOf(directory: string): string | undefined {
  // Sound because npm installed it.
  const { author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    readonly author?: string | { readonly name: string };
  };
  return typeof author === 'object' ? author.name : author;
}

/** The text for packages that only name the license. */
const mitLicense = (holder: string): string => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
