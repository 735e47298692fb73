import { optionsOf, UsageError, type CommandUsage } from './usage.ts';

/** Returns a script that completes the words and options of commands, for bash, zsh or fish. */
export function completionOf(
  program: string,
  commands: readonly CommandUsage[],
  shell: string,
): { text: string; data: { script: string } } {
  const script = scripts[shell as keyof typeof scripts];
  if (!Object.hasOwn(scripts, shell)) throw new UsageError('SHELL must be one of bash, zsh, fish.');
  const text = script(program, choicesOf(commands));
  return { text, data: { script: text } };
}

/** What can follow a beginning of a command line: words, or the options of a command. */
interface Choice {
  readonly before: string;
  readonly next: readonly string[];
  /** Whether `before` is a whole command, after which other words may come. */
  readonly isCommand: boolean;
}

function choicesOf(commands: readonly CommandUsage[]): Choice[] {
  const words = new Map<string, Set<string>>([['', new Set(['server'])]]);
  for (const { name } of commands) {
    const parts = name.split(' ');
    for (const [index, part] of parts.entries()) {
      const before = parts.slice(0, index).join(' ');
      words.set(before, (words.get(before) ?? new Set<string>()).add(part));
    }
  }
  const options = commands.map((command) => ({
    before: command.name,
    next: [...optionsOf(command).map(({ name }) => `--${name}`), '--help'],
    isCommand: true,
  }));
  const followed = options.map((choice) => ({
    ...choice,
    next: [...(words.get(choice.before) ?? []), ...choice.next],
  }));
  const known = new Set(commands.map(({ name }) => name));
  const rest = Array.from(words, ([before, next]) => ({ before, next: [...next], isCommand: false }));
  return [
    // `dashboards pull` comes before `pull`, since the first pattern counts.
    ...followed.toSorted((one, other) => other.before.length - one.before.length),
    ...rest.filter(({ before }) => !known.has(before)),
  ];
}

type Script = (program: string, choices: readonly Choice[]) => string;

/** Names of commands and options consist of letters and hyphens, so that they need no quotes inside these. */
const casesOf = (choices: readonly Choice[], assign: (next: string) => string): string[] =>
  choices.map(
    ({ before, next, isCommand }) =>
      `    '${before === '' ? '' : `${before} `}'${isCommand ? '*' : ''}) ${assign(next.join(' '))} ;;`,
  );

const bash: Script = (program, choices) =>
  [
    `# ${program} completion bash > ~/.local/share/bash-completion/completions/${program}`,
    `_${program}() {`,
    '  local current="${COMP_WORDS[COMP_CWORD]}" before="" next=""',
    '  local index',
    '  for ((index = 1; index < COMP_CWORD; index++)); do before+="${COMP_WORDS[index]} "; done',
    '  case "$before" in',
    ...casesOf(choices, (next) => `next='${next}'`),
    '  esac',
    '  COMPREPLY=($(compgen -W "$next" -- "$current"))',
    '}',
    `complete -o default -F _${program} ${program}`,
  ].join('\n');

const zsh: Script = (program, choices) =>
  [
    `#compdef ${program}`,
    `# ${program} completion zsh > a directory of $fpath, as _${program}`,
    `_${program}() {`,
    '  local before="" word',
    '  local -a next',
    '  for word in "${(@)words[2,CURRENT-1]}"; do before+="$word "; done',
    '  case "$before" in',
    ...casesOf(choices, (next) => `next=(${next})`),
    '  esac',
    '  compadd -- $next',
    '  [[ "$PREFIX" == -* ]] || _files',
    '}',
    `compdef _${program} ${program}`,
  ].join('\n');

const fish: Script = (program, choices) => {
  const before = `__${program}_before`;
  return [
    `# ${program} completion fish > ~/.config/fish/completions/${program}.fish`,
    `function ${before}`,
    '  set -l words (commandline -opc)',
    "  string join ' ' -- $words[2..]",
    'end',
    ...choices.map(({ before: words, next, isCommand }) => {
      const pattern = isCommand ? `^${words}( |$)` : `^${words}$`;
      return `complete -c ${program} -n "string match -qr -- '${pattern}' (string join ' ' -- (${before}))" -a '${next.join(' ')}'`;
    }),
  ].join('\n');
};

const scripts = { bash, zsh, fish } as const;
