import { deleteAccount, previewDeletion } from '../../account-deletion/deletion.ts';
import type { Actor } from '../../base/actor.ts';
import { createDashboardIndex } from '../../dashboards/listing/indexer.ts';
import { dashboardKind } from '../../dashboards/kind.ts';
import { findUsesOfReport, queueUsesOfReports, reportsOnDashboards } from '../../dashboards/uses.ts';
import { endMembership } from '../../end-membership.ts';
import { findRoleOf } from '../../organizations/members.ts';
import { requireUnused } from '../../reports/reports.ts';
import { findReportsOfSource } from '../../reports/uses.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { getAccountByEmailOrId } from './account.ts';

export const userDelete: Command = {
  name: 'user delete',
  summary:
    'Deletes an account, and replaces the person in what stays by a pseudonym. This cannot be undone.\n' +
    'What they own is handed over to another person in the organizations where that person is a member, and otherwise moved to the trash.',
  options: [
    {
      name: 'user',
      placeholder: 'USER',
      help: 'the email address or the id of the account; that of a directory has only an id',
      required: true,
    },
    {
      name: 'hand-over-to',
      placeholder: 'USER',
      help: 'the email address or the id of the person who gets what they own; by default, it is moved to the trash',
      required: false,
    },
  ],
  async run({ database, clock }, values) {
    const user = await getAccountByEmailOrId(database, required(values, 'user'));
    const successorText = values['hand-over-to'];
    const successor =
      typeof successorText === 'string' ? await getAccountByEmailOrId(database, successorText) : undefined;
    const actor: Actor = {
      userId: user.id,
      credential: { kind: 'operator', id: 'operator' },
      scope: 'all',
      satisfiesSso: true,
    };
    const index = createDashboardIndex(database, () => {});
    try {
      const { organizations } = await previewDeletion(database, actor);
      const choices: { organizationId: string; to: string | undefined }[] = [];
      for (const { organizationId, mayHandOver } of organizations) {
        if (!mayHandOver) continue;
        const isMember =
          successor !== undefined && (await findRoleOf(database, organizationId, successor.id)) !== undefined;
        choices.push({ organizationId, to: isMember ? successor.id : undefined });
      }
      const reportKind = reportsOnDashboards(database);
      const findUses = findUsesOfReport.bind(undefined, { database, index });
      const folders = {
        database,
        clock,
        onReportsHidden: queueUsesOfReports.bind(undefined, database),
        kinds: {
          dashboard: { kind: dashboardKind },
          report: {
            kind: reportKind,
            requireUnused: (asker: Actor, id: string) => requireUnused({ database, findUses }, asker, id),
          },
        },
      };
      const dependencies = { database, clock, reportKind, findSourceUses: findReportsOfSource, folders };
      await deleteAccount({ ...dependencies, endMembership }, actor, choices);
      const left = organizations.map(({ organizationId: id, name }) => ({ id, name }));
      const names = left.map(({ name }) => `“${name}”`).join(', ');
      return {
        text: `deleted: ${user.email}${names === '' ? '' : `, a member of ${names}. The owners get no email`}`,
        data: { userId: user.id, organizations: left },
      };
    } finally {
      await index.close();
    }
  },
};
