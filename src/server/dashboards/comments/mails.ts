import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { Actor } from '../../base/actor.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { onOneLine, shortened } from '../../mail/texts.ts';
import type { Database } from '../../storage/database.ts';
import { findVisible, viewerKey } from '../live/visibility-store.ts';
import type { Written } from './comments.ts';
import { selectAddresses } from './recipient-store.ts';

export interface CommentMailDependencies {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  /** Emails to a person, in this process. */
  readonly mailed: RateLimiterMemory;
}

/** Returns the limit of emails about comments that a person gets: no discussion fills a mailbox. */
export const createMailLimit = (): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: 'comment-mail', points: 20, duration: 3_600 });

/** About how much of a comment an email contains. */
const excerptLength = 500;

/**
 * Mails a comment to the people that it mentions and, unless `isEdit`, to the others in its thread: those who may view the
 * dashboard now, and want emails. Never throws because of the mail server.
 */
export async function mailComment(
  { database, mailer, publicUrl, mailed }: CommentMailDependencies,
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
  if (asked.size === 0) return;
  const visible = await findVisible(
    database,
    [...asked].map((userId) => ({ dashboardId: dashboard.id, userId })),
  );
  const may = [...asked].filter((userId) => visible.has(viewerKey({ dashboardId: dashboard.id, userId })));
  const author = onOneLine(comment.userName);
  const name = onOneLine(dashboard.name);
  // The ID of a dashboard and of a comment are UUIDs.
  const link = `${publicUrl}/dashboards/${dashboard.id}?comment-id=${commentId}`;
  for (const { userId, email } of await selectAddresses(database, may)) {
    const isWithinLimit = await mailed.consume(userId).then(
      () => true,
      () => false,
    );
    if (!isWithinLimit) continue;
    const what = mentioned.includes(userId) ? 'mentioned you in a comment on' : 'commented on';
    await mailer.send({
      to: email,
      subject: `${author} ${what} ${name}`,
      text: `${author} ${what} ${name}:\n\n${quoted(comment.text)}\n\nRead and reply:\n${link}\n\nYou can turn these emails off in your account:\n${publicUrl}/account\n`,
    });
  }
}

/** Returns the start of a comment, each line marked as quoted, so that it can't pass for what the server says. */
const quoted = (text: string): string =>
  `> ${shortened(text, excerptLength).replaceAll(/\r\n?|\n/g, '\n> ')}`;
