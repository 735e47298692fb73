import { resolve } from 'node:path';

/** The reasons for which a test may be skipped: this machine can't run it. */
const cannotRun = / is not installed$|^only /;

/** Counts the results of test files, which Node's runner reports as events of the program that runs them. */
export class Results {
  passedCount = 0;
  /** Descriptions of what failed. */
  failures = [];
  /** Descriptions of the tests that this machine can't run. */
  skipped = [];
  /** The file that is running, and those after it. */
  waiting;
  #program;
  #isShared;
  #testCount = 0;

  /** In a program that several files share, each is a suite of its own. */
  constructor(files, program) {
    this.waiting = [...files];
    this.#program = resolve(program);
    this.#isShared = files.length > 1;
  }

  /** Adds the result of a test, a suite, a file or the whole program. Returns whether a file is complete. */
  take({ type, data }) {
    const [file] = this.waiting;
    const isProgram = data.nesting === 0 && resolve(data.name) === this.#program;
    const isFile = this.#isShared && data.nesting === 0 && data.name === file;
    // A suite, a file or a program fails with its tests, which are counted, or by itself: when a hook fails, for example.
    const failsByItself = type === 'test:fail' && data.details?.error?.failureType !== 'subtestsFailed';
    if (isProgram) {
      // While a file is waiting, it has ended the process that it shares, which `runFiles` reports.
      if (failsByItself && !(this.#isShared && file)) this.failures.push(`${file ?? 'a process'} as a whole`);
    } else if (isFile) {
      if (failsByItself) this.failures.push(`${file} as a whole`);
      this.completeFile();
    } else if (data.details?.type === 'suite') {
      if (failsByItself) this.failures.push(`${file}: ${data.name}`);
    } else {
      this.#countTest(file, type, data);
    }
    return isFile;
  }

  #countTest(file, type, { name, skip, todo }) {
    this.#testCount += 1;
    if (type === 'test:fail') this.failures.push(`${file}: ${name}`);
    else if (skip === undefined && todo === undefined) this.passedCount += 1;
    else if (cannotRun.test(skip)) this.skipped.push(`${file}: ${name} (${skip})`);
    else this.failures.push(`${file}: ${name} (skipped; run the test or remove it)`);
  }

  completeFile() {
    const file = this.waiting.shift();
    const hasFailed = this.failures.some((failure) => failure.startsWith(file));
    if (this.#testCount === 0 && !hasFailed) this.failures.push(`${file} ran no test`);
    this.#testCount = 0;
  }
}
