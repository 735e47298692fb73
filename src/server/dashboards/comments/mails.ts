import type { Actor } from '../../base/actor.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { nameInMail, quotedInMail } from '../../mail/texts.ts';
import type { Database } from '../../storage/database.ts';
import { findVisible, viewerKey } from '../live/visibility-store.ts';
import type { Written } from './comments.ts';
import { selectAddresses } from './recipient-store.ts';

export interface CommentMailDependencies {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly publicUrl: string;
}

/** About how much of a comment an email contains. */
const excerptLength = 500;

/**
 * Mails a comment to the people that it mentions and, unless `isEdit`, to the others in its thread: those who may view the
 * dashboard now, meet what the organization requires to sign in, and want emails. Never throws because of the mail server.
 */
export async function mailComment(
  { database, mailer, publicUrl }: CommentMailDependencies,
  actor: Actor,
  { thread, commentId, dashboard, mentioned }: Written,
  { isEdit }: { readonly isEdit: boolean },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const comment = thread.comments.find(({ id }) => id === commentId);
  if (comment === undefined) return;
  const others = thread.comments.flatMap(({ userId, mentions }) => [
    userId,
    ...mentions.map((person) => person.userId),
  ]);
  const asked = new Set([...mentioned, ...(isEdit ? [] : others)]);
  asked.delete(actor.userId);
  const { organizationId } = dashboard;
  // Nobody else can view a personal dashboard.
  if (asked.size === 0 || organizationId === undefined) return;
  const visible = await findVisible(
    database,
    [...asked].map((userId) => ({ dashboardId: dashboard.id, userId })),
  );
  const may = [...asked].filter((userId) => visible.has(viewerKey({ dashboardId: dashboard.id, userId })));
  const author = nameInMail(comment.userName);
  const name = nameInMail(dashboard.name);
  // The ID of a dashboard and of a comment are UUIDs.
  const link = `${publicUrl}/dashboards/${dashboard.id}?comment-id=${commentId}`;
  for (const { userId, email } of await selectAddresses(database, { organizationId, userIds: may })) {
    const what = mentioned.includes(userId) ? 'mentioned you in a comment on' : 'commented on';
    await mailer.send({
      kind: 'comment',
      to: email,
      organizationId,
      text: `${author} ${what} ${name}:\n\n${quotedInMail(comment.text, excerptLength)}\n\nRead and reply:\n${link}\n\nYou can turn these emails off in your account:\n${publicUrl}/account\n`,
    });
  }
}
