import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The commit that every later one is compared with. */
export const referenceCommit = '64da3a8';

const repository = fileURLToPath(new URL('../..', import.meta.url));

const git = (...args: string[]): Buffer =>
  execFileSync('git', args, { cwd: repository, maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'inherit'] });

/**
 * Returns the directory with the code of a commit and its dependencies, which are those of this directory if both have the same lock
 * file. It stays in the temporary directory of the system, for the next time.
 */
export function checkOut(commit: string): string {
  const id = git('rev-parse', '--verify', `${commit}^{commit}`).toString().trim();
  const directory = join(tmpdir(), `atrium-reference-${process.getuid?.() ?? ''}-${id}`);
  if (existsSync(directory)) return directory;
  // Completed under another name, so that what is there is whole.
  const unfinished = mkdtempSync(`${directory}-`);
  try {
    execFileSync('tar', ['-x', '-C', unfinished], { input: git('archive', '--format=tar', id) });
    installDependencies(unfinished);
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return directory;
}

function installDependencies(directory: string): void {
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(directory) === lockOf(repository)) {
    symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'), 'dir');
    return;
  }
  process.stderr.write('Installing the dependencies of the reference …\n');
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', ...options], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
