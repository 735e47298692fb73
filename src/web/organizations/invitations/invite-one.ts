import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { errorSentence } from '../../ui/problems/message.ts';

/** The outcome of one invitation, with a message to show. */
export interface InvitationResult {
  readonly email: string;
  /** Whether the address has an open invitation now, even if its email could not be sent. */
  readonly isInvited: boolean;
  readonly hasFailed: boolean;
  readonly message: string;
  /** The link to pass on; only if no mail server is configured. */
  readonly link?: string;
}

/** Invites an address, or resends its invitation, whose previous link stops working. Never throws. */
export async function inviteOne(orgId: string, email: string, role: Role): Promise<InvitationResult> {
  try {
    const { link, mailFailure } = await call('POST /api/organizations/{orgId}/invitations', {
      params: { orgId },
      body: { email, role },
    });
    if (mailFailure !== undefined) return { email, isInvited: true, hasFailed: true, message: mailFailure };
    return link === undefined
      ? { email, isInvited: true, hasFailed: false, message: t('The link was sent by email.') }
      : {
          email,
          isInvited: true,
          hasFailed: false,
          message: t('No mail server is configured. Send them this link:'),
          link,
        };
  } catch (error) {
    const isMember = error instanceof ApiProblem && error.code === 'already_member';
    const message = isMember ? t('Already a member.') : errorSentence(error);
    return { email, isInvited: false, hasFailed: true, message };
  }
}
