import type { Server } from '../connection/connect.ts';
import { printable } from '../usage/printable.ts';
import type { CodeDocument, Format } from './formats.ts';
import type { CodeFile } from './names.ts';

/** Something on the server that differs from a file. */
export interface Change {
  readonly kind:
    | 'data source'
    | 'model'
    | 'report'
    | 'dashboard'
    | 'member'
    | 'single sign-on'
    | 'directory'
    | 'sign-in policy'
    | 'organization';
  /** `missing`: a person in a file is not a member, which only an invitation can change. */
  readonly action: 'create' | 'update' | 'restore' | 'delete' | 'invite' | 'missing';
  readonly name: string;
  /** What changes, in sentences. */
  readonly details: readonly string[];
}

/** One request that changes the server, or several that belong together. */
export interface Step {
  /** Deletions come last, in the opposite order. */
  readonly isDeletion: boolean;
  readonly changes: readonly Change[];
  /** Throws a `CommandFailure` if others have changed the same since the plan. Absent for what can't be done. */
  readonly apply?: () => Promise<void>;
}

export interface SectionPlan {
  readonly steps: readonly Step[];
  readonly unchanged: number;
  /** Why the plan can't be carried out. */
  readonly faults: readonly string[];
  /** The keys of data sources that the plan creates, for the reports that use them. */
  readonly createdSources?: ReadonlySet<string>;
}

/** What a section needs to make a plan. */
export interface PlanContext {
  readonly server: Server;
  readonly organizationId: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether what has no file is deleted. */
  readonly prunes: boolean;
  /** Whether secrets are sent even if nothing else changes. */
  readonly sendsSecrets: boolean;
  readonly invites: boolean;
  /** Of the plan of data sources, which comes first. */
  readonly createdSources: ReadonlySet<string>;
}

/** One kind of thing that an organization has as code. */
export interface Section {
  readonly formats: readonly Format[];
  /** Returns the documents of the server. `before` are those of the directory, whose references to secrets stay. */
  read(
    context: Pick<PlanContext, 'server' | 'organizationId'>,
    before: readonly CodeDocument[],
  ): Promise<CodeDocument[]>;
  plan(context: PlanContext, files: readonly CodeFile[]): Promise<SectionPlan>;
}

const signs: Readonly<Record<Change['action'], string>> = {
  create: '+',
  update: '~',
  restore: '+',
  delete: '-',
  invite: '+',
  missing: '!',
};

/** Returns a line for each change with what changes below it, and the counts. */
export function describeChanges(changes: readonly Change[], unchanged: number): string {
  const counts = Map.groupBy(changes, ({ action }) => action);
  return [
    ...changes.flatMap(({ kind, action, name, details }) => [
      `${signs[action]} ${action.padEnd('restore'.length)}  ${kind.padEnd('single sign-on'.length)}  ${printable(name)}`,
      ...details.map((detail) => `    ${printable(detail)}`),
    ]),
    [
      ...Array.from(counts, ([action, { length }]) => `${length} to ${wordOf[action]}`),
      `${unchanged} unchanged`,
    ].join(', '),
  ].join('\n');
}

const wordOf: Readonly<Record<Change['action'], string>> = {
  create: 'create',
  update: 'update',
  restore: 'restore from the trash',
  delete: 'delete',
  invite: 'invite',
  missing: 'invite by hand',
};
