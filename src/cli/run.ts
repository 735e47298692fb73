import { ApiProblem, Unreachable } from '../client/errors.ts';
import type { Place } from './command.ts';
import { commands } from './commands.ts';
import { codeOf, CommandFailure, PartialFailure } from './failure.ts';
import { printable, printableLines } from './usage/printable.ts';
import { asksForHelp, findCommand, overviewOf, parseArguments, UsageError, usageOf } from './usage/usage.ts';

const program = 'atrium';

/**
 * Runs a command line, and returns its exit code: 0, 1 if it failed, 2 if it was called incorrectly, and 3 if a comparison found a
 * difference.
 */
export async function runCli(words: readonly string[], place: Place): Promise<0 | 1 | 2 | 3> {
  const print = (text: string) => place.write(`${text}\n`);
  const fail = (text: string) => place.warn(withoutTokens(printableLines(text), place));
  if (words[0] === '--version') {
    await print(place.version);
    return 0;
  }
  const command = findCommand(commands, words);
  if (command === undefined) {
    if (words.length === 0 || asksForHelp(words)) {
      await print(overview());
      return 0;
    }
    fail(`Unknown command. The commands of the operator are under ${program} server.\n\n${overview()}`);
    return 2;
  }
  const rest = words.slice(command.name.split(' ').length);
  if (asksForHelp(rest)) {
    await print(usageOf(program, command));
    return 0;
  }
  try {
    const values = parseArguments(command, rest);
    const run = await command.load();
    const { text, data, exitCode = 0 } = await run(place, values);
    const json = JSON.stringify(data);
    if (values['json'] !== undefined) await print(place.isTerminal ? printableLines(json) : json);
    else if (text !== '') await print(printableLines(text));
    return exitCode;
  } catch (error) {
    if (error instanceof UsageError) {
      fail(`${error.message}\n\n${usageOf(program, command)}`);
      return 2;
    }
    const message = messageOf(error);
    if (message === undefined) throw error;
    fail(message);
    return 1;
  }
}

/** Returns the message of an expected error; undefined for others, which are bugs. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof PartialFailure) {
    const reason = messageOf(error.cause);
    return reason && `${reason}\n${error.message}`;
  }
  if (error instanceof ApiProblem) return describeProblem(error);
  if (error instanceof Unreachable) {
    const causes = causesOf(error);
    const refusal = causes.find((cause) => cause instanceof CommandFailure);
    if (refusal !== undefined) return refusal.message;
    const code = causes.map(codeOf).find((found) => found !== undefined);
    return code === undefined ? error.message : `${error.message} (${code})`;
  }
  // Of the file system, whose messages name the path.
  return error instanceof Error && 'syscall' in error ? error.message : undefined;
}

/** Returns the detail of a problem, and a line for each fault. */
function describeProblem({ problem }: ApiProblem): string {
  const errors = Array.isArray(problem.errors) ? problem.errors : [];
  // The detail of the server is for people who can confirm, and a program has a token.
  const detail =
    problem.code === 'confirmation_required'
      ? 'This needs a recent confirmation of your identity, which a token can’t give. Do it in the browser.'
      : problem.detail;
  return [
    detail,
    ...errors.map(({ pointer, message }) => `  ${[pointer.slice(1), message].map(printable).join(' ')}`),
  ].join('\n');
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** Returns a text without tokens, which an error might quote. */
const withoutTokens = (text: string, { environment }: Place): string =>
  text
    .replaceAll(environment['ATRIUM_TOKEN'] || '\0', '***')
    .replaceAll(/atrium_[a-z]+_[0-9A-Za-z]{16,}/g, '***');

const overview = (): string =>
  overviewOf(program, commands, [
    'COMMAND --help shows its options, and --version the version.',
    'Commands call the server of atrium login, or the one at ATRIUM_URL with the token in ATRIUM_TOKEN.',
    `${program} serve runs the server of a release package, and ${program} server has the commands of its operator.`,
  ]);
