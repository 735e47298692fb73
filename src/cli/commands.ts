import type { RemoteCommand } from './command.ts';
import { organizationOption } from './connection/connect.ts';
import type { CommandOption } from './usage/usage.ts';

const option = (name: string, placeholder: string, help: string): CommandOption => ({
  name,
  placeholder,
  help,
  required: false,
});

const repeatable = (name: string, placeholder: string, help: string): CommandOption => ({
  ...option(name, placeholder, help),
  isRepeatable: true,
});

const directoryArgument = {
  name: 'directory',
  placeholder: 'DIR',
  help: 'the directory of the files (required)',
};
const yes = option('yes', '', 'doesn’t ask for a confirmation');
const detailedExitcode = option('detailed-exitcode', '', 'exits with 3 if something was changed');
const prune = option(
  'prune',
  '',
  'deletes what has no file; dashboards, reports and data sources go to the trash',
);
const secrets = option('secrets', '', 'sends every secret, for example after it was changed');
const invite = option('invite', '', 'invites people who are not members');

/** What an organization has as code, with the options of `push`. */
const codeSections = [
  {
    name: 'all',
    what: 'data sources, reports, dashboards, members, single sign-on and settings',
    own: [prune, secrets, invite],
  },
  { name: 'dashboards', what: 'dashboards and the reports that they show', own: [prune] },
  { name: 'reports', what: 'reports', own: [prune] },
  {
    name: 'sources',
    what: 'data sources, without their passwords and uploaded tables, and descriptions of tables',
    own: [prune, secrets],
  },
  { name: 'members', what: 'the roles of members', own: [prune, invite] },
  { name: 'sso', what: 'single sign-on and the sign-in policy', own: [prune, secrets] },
  { name: 'organization', what: 'regional settings and colors', own: [] },
] as const;

const codeCommands: readonly RemoteCommand[] = codeSections.flatMap(
  ({ name, what, own }): RemoteCommand[] => {
    const words = name === 'all' ? '' : `${name} `;
    const common = { arguments: [directoryArgument] };
    const load = () => import('./code/commands.ts');
    return [
      {
        ...common,
        name: `${words}pull`,
        summary: `Writes ${what} to files in a directory.`,
        options: [yes, detailedExitcode, organizationOption],
        load: async () => (await load()).pull(name),
      },
      {
        ...common,
        name: `${words}push`,
        summary: `Changes ${what} to match the files of a directory.`,
        options: [...own, yes, detailedExitcode, organizationOption],
        load: async () => (await load()).push(name),
      },
      {
        ...common,
        name: `${words}diff`,
        summary: `Shows what push --prune would change in ${what}; exits with 3 if anything differs.`,
        options: [organizationOption],
        load: async () => (await load()).diff(name),
      },
    ];
  },
);

/** The commands that call a server. */
export const commands: readonly RemoteCommand[] = [
  {
    name: 'login',
    summary:
      'Logs in to a server: you authorize the command line in a browser, and its tokens are stored for you only.',
    arguments: [{ name: 'url', placeholder: 'URL', help: 'such as https://atrium.example.com (required)' }],
    options: [
      repeatable('scope', 'SCOPE', 'what the command line may do; by default, everything but administer'),
    ],
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'Ends a login, and deletes its tokens.',
    arguments: [
      {
        name: 'url',
        placeholder: '[URL]',
        help: 'by default, the server of the last login',
        isOptional: true,
      },
    ],
    options: [],
    load: async () => (await import('./commands/login.ts')).logout,
  },
  {
    name: 'api',
    summary: 'Sends a request to the API, and prints the body of the response.',
    arguments: [
      { name: 'method', placeholder: 'METHOD', help: 'such as GET (required)' },
      { name: 'path', placeholder: 'PATH', help: 'such as /api/dashboards (required)' },
    ],
    options: [
      repeatable('field', 'NAME=TEXT', 'a member of the body, or for GET a parameter; repeat it for others'),
      repeatable('json-field', 'NAME=JSON', 'the same with a value as JSON, such as enabled=true'),
      option('input', 'FILE', 'the body; - for standard input'),
      option('content-type', 'TYPE', 'the media type of --input; by default, application/json'),
      option('accept', 'TYPE', 'the media type of the response'),
      option('if-match', 'ETAG', 'the version that an edit starts from'),
      option('pages', '', 'reads all pages of a list, and prints them as one'),
      option('include', '', 'prints the status and the header fields first'),
    ],
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'report run',
    summary: 'Runs a report, and prints all rows of its result.',
    arguments: [{ name: 'report', placeholder: 'REPORT', help: 'its name or its ID (required)' }],
    options: [
      option('format', 'FORMAT', 'csv (the default), spreadsheet for CSV without formulas, json or parquet'),
      repeatable('parameter', 'NAME=VALUE', 'the value of a parameter; for a list, repeat it'),
      option('output', 'FILE', 'the file to write; by default, standard output'),
      organizationOption,
    ],
    load: async () => (await import('./commands/report-run.ts')).runReport,
  },
  {
    name: 'upload',
    summary: 'Uploads a file as a table, or replaces the whole table.',
    arguments: [
      { name: 'file', placeholder: 'FILE', help: '.csv, .tsv, .json, .ndjson or .parquet (required)' },
    ],
    options: [
      {
        ...option('source', 'SOURCE', 'the name or the ID of a data source with uploaded tables'),
        required: true,
      },
      option('table', 'TABLE', 'the name of the table; by default, that of the file'),
      organizationOption,
    ],
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  {
    name: 'dashboards import',
    summary: 'Imports a Grafana dashboard or a Metabase export, and lists what was lost or changed.',
    arguments: [
      {
        name: 'file',
        placeholder: 'FILE',
        help: 'a dashboard of Grafana in JSON, or an export of Metabase: .tar.gz, or its directory (required)',
      },
    ],
    options: [
      repeatable(
        'source',
        'NAME=SOURCE',
        'the name or the ID of the data source to use for the one of the other program with this name; repeat it for each',
      ),
      option(
        'folder',
        'ID',
        'the ID of the folder in which what is new is created, as in its address; in no folder if left out',
      ),
      option(
        'dry-run',
        '',
        'only shows what would change; exits with 3 if something would, and with 0 otherwise',
      ),
      organizationOption,
    ],
    load: async () => (await import('./commands/dashboards-import.ts')).importDashboards,
  },
  ...codeCommands,
  {
    name: 'completion',
    summary: 'Prints a script that completes commands in a shell.',
    arguments: [{ name: 'shell', placeholder: 'SHELL', help: 'bash, zsh or fish (required)' }],
    options: [],
    load: async () => {
      const { completionOf } = await import('./usage/completion.ts');
      return async (_place, values) => completionOf('atrium', commands, values['shell'] ?? '');
    },
  },
];
