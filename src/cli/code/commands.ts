import type { Place, Run } from '../command.ts';
import { connect, getOrganizationId } from '../connection/connect.ts';
import { CommandFailure, PartialFailure } from '../failure.ts';
import { printable, printableLines } from '../usage/printable.ts';
import { required, UsageError, type Arguments } from '../usage/usage.ts';
import { changeFiles, compareFiles, readDirectory, type FileChanges } from './directory.ts';
import { members } from './kinds/members.ts';
import { models } from './kinds/models.ts';
import { organization } from './kinds/organization.ts';
import { recordsOf } from './kinds/records.ts';
import { sources } from './kinds/sources.ts';
import { sso } from './kinds/sso/sso.ts';
import { keyOf, toFiles, type CodeFile } from './names.ts';
import { describeChanges, type Change, type PlanContext, type Section, type Step } from './plan.ts';

/** The sections of each command, in the order in which they are pushed: reports need their data sources. */
const sectionsOf = {
  all: [sources, models, recordsOf('all'), members, sso, organization],
  sources: [sources, models],
  reports: [recordsOf('reports')],
  dashboards: [recordsOf('dashboards')],
  members: [members],
  sso: [sso],
  organization: [organization],
} as const satisfies Readonly<Record<string, readonly Section[]>>;
export type SectionName = keyof typeof sectionsOf;

/** Returns the command that writes what the server has into a directory. */
export const pull =
  (name: SectionName): Run =>
  async (place, values) => {
    const directory = required(values, 'directory');
    const sections = sectionsOf[name];
    const before = ofSections(readDirectory(directory), sections);
    const scope = await openScope(place, values);
    const documents = [];
    for (const section of sections)
      documents.push(
        ...(await section.read(
          scope,
          before.map(({ document }) => document),
        )),
      );
    const files = toFiles(documents);
    const changes = compareFiles(directory, withKeptReports(before, files, name), files);
    const { created, updated, removed, unchanged } = changes;
    const text = describeFiles(changes);
    const hasChanged = created.length + updated.length + removed.length > 0;
    if (updated.length + removed.length > 0) {
      await show(place, values, text);
      await requireConsent(place, values, `Change these files of ${directory}?`);
    }
    changeFiles(directory, changes);
    const data = { created: namesOf(created), updated: namesOf(updated), removed, unchanged };
    return {
      text: updated.length + removed.length > 0 ? 'Done.' : text,
      data,
      exitCode: hasChanged && values['detailed-exitcode'] !== undefined ? 3 : 0,
    };
  };

/** Returns the command that shows what `push --prune` would change; it exits with 3 if anything differs. */
export const diff =
  (name: SectionName): Run =>
  async (place, values) => {
    const files = readFiles(values, sectionsOf[name]);
    const plan = await makePlan(place, values, files, sectionsOf[name], { prunes: true });
    return {
      text: describeChanges(plan.changes, plan.unchanged),
      data: { changes: plan.changes, unchanged: plan.unchanged },
      exitCode: plan.changes.length === 0 ? 0 : 3,
    };
  };

/** Returns the command that changes the server as the files of a directory say. */
export const push =
  (name: SectionName): Run =>
  async (place, values) => {
    if (values['yes'] === undefined && place.confirm === undefined)
      throw new UsageError('There is no terminal to confirm in: check with diff, then use --yes.');
    const files = readFiles(values, sectionsOf[name]);
    const prunes = values['prune'] !== undefined;
    const { steps, changes, unchanged, faults } = await makePlan(place, values, files, sectionsOf[name], {
      prunes,
    });
    const plan = describeChanges(changes, unchanged);
    const possible = steps.filter(({ apply }) => apply !== undefined);
    if (faults.length > 0) {
      place.warn(printableLines(plan));
      throw new CommandFailure(['Nothing was changed:', ...faults.map(printable)].join('\n'));
    }
    const data = { changes, unchanged };
    if (possible.length === 0) return { text: plan, data };
    await show(place, values, plan);
    await requireConsent(place, values, 'Make these changes?');
    await applySteps(possible);
    return { text: 'Done.', data, exitCode: values['detailed-exitcode'] === undefined ? 0 : 3 };
  };

async function openScope(
  place: Place,
  values: Arguments,
): Promise<Pick<PlanContext, 'server' | 'organizationId'>> {
  const server = await connect(place);
  return { server, organizationId: await getOrganizationId(server, values) };
}

const ofSections = (files: readonly CodeFile[], sections: readonly Section[]): CodeFile[] =>
  files.filter(({ document }) => sections.some(({ formats }) => formats.includes(document.format)));

function readFiles(values: Arguments, sections: readonly Section[]): CodeFile[] {
  const directory = required(values, 'directory');
  const files = ofSections(readDirectory(directory), sections);
  // Otherwise, a misspelled directory would delete everything.
  if (files.length === 0) throw new CommandFailure(`${directory} has no files of this kind.`);
  return files;
}

/** Returns the files that a pull may remove: `dashboards pull` leaves the reports that no dashboard shows. */
function withKeptReports(
  before: readonly CodeFile[],
  files: readonly CodeFile[],
  name: SectionName,
): readonly CodeFile[] {
  if (name !== 'dashboards') return before;
  const pulled = new Set(files.map(({ document }) => keyOf(document)));
  return before.filter(
    ({ document }) => document.format.startsWith('atrium.dashboard/') || pulled.has(keyOf(document)),
  );
}

interface WholePlan {
  readonly steps: readonly Step[];
  readonly changes: readonly Change[];
  readonly unchanged: number;
  readonly faults: readonly string[];
}

async function makePlan(
  place: Place,
  values: Arguments,
  files: readonly CodeFile[],
  sections: readonly Section[],
  { prunes }: Pick<PlanContext, 'prunes'>,
): Promise<WholePlan> {
  const scope = await openScope(place, values);
  const steps: Step[] = [];
  const faults: string[] = [];
  let unchanged = 0;
  let createdSources: ReadonlySet<string> = new Set();
  for (const section of sections) {
    const plan = await section.plan(
      {
        ...scope,
        environment: place.environment,
        prunes,
        sendsSecrets: values['secrets'] !== undefined,
        invites: values['invite'] !== undefined,
        createdSources,
      },
      files,
    );
    steps.push(...plan.steps);
    faults.push(...plan.faults);
    unchanged += plan.unchanged;
    createdSources = plan.createdSources ?? createdSources;
  }
  const deletions = steps.filter(({ isDeletion }) => isDeletion).toReversed();
  // People come last, since the token may belong to one of them.
  const isOfMember = ({ changes }: Step) => changes.some(({ kind }) => kind === 'member');
  const ordered = [
    ...steps.filter(({ isDeletion }) => !isDeletion),
    ...deletions.filter((step) => !isOfMember(step)),
    ...deletions.filter(isOfMember),
  ];
  return { steps: ordered, changes: ordered.flatMap(({ changes }) => changes), unchanged, faults };
}

async function applySteps(steps: readonly Step[]): Promise<void> {
  const done: Change[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      await step.apply?.();
    } catch (error) {
      const rest = steps.slice(index).flatMap(({ changes }) => changes);
      throw new PartialFailure(describeProgress(done, rest), { cause: error });
    }
    done.push(...step.changes);
  }
}

/** Returns what a push has done before it failed, and what not. */
function describeProgress(done: readonly Change[], rest: readonly Change[]): string {
  const list = (changes: readonly Change[]) =>
    changes.map(({ action, kind, name }) => `  ${action} ${kind} ${printable(name)}`);
  return [
    ...(done.length === 0 ? ['Nothing was changed.'] : ['Done:', ...list(done)]),
    'Not done:',
    ...list(rest),
  ].join('\n');
}

/** Shows a plan before it is carried out; with `--json`, on standard error. */
async function show(place: Place, values: Arguments, text: string): Promise<void> {
  if (values['json'] === undefined) await place.write(`${printableLines(text)}\n`);
  else place.warn(printableLines(text));
}

async function requireConsent(place: Place, values: Arguments, question: string): Promise<void> {
  if (values['yes'] !== undefined) return;
  if (place.confirm === undefined) throw new UsageError('There is no terminal to confirm in: use --yes.');
  if (!(await place.confirm(question))) throw new CommandFailure('Nothing was changed.');
}

const describeFiles = ({ created, updated, removed, unchanged }: FileChanges): string =>
  [
    ...namesOf(created).map((name) => `+ ${name}`),
    ...namesOf(updated).map((name) => `~ ${name}`),
    ...removed.map((name) => `- ${printable(name)}`),
    `${created.length} created, ${updated.length} updated, ${removed.length} removed, ${unchanged} unchanged`,
  ].join('\n');

const namesOf = (files: readonly CodeFile[]): string[] => files.map(({ name }) => name);
