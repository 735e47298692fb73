import type { Clock } from '../base/clock.ts';
import { requireValidPassword } from '../base/credentials/new-password.ts';
import { getInvitation, lockInvitation, useInvitation } from '../organizations/invitations/invitations.ts';
import { createUser } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { hashPassword } from './passwords.ts';
import { startRecordedSession } from '../sessions/recorded-session.ts';
import type { NewSession } from '../sessions/sessions.ts';

/** Creates an account for the invited address, and signs it in. Throws `link_not_valid`, `account_exists`. */
export async function signUpByInvitation(
  database: Database,
  clock: Clock,
  input: { token: string; name: string; password: string; address: string; userAgent: string | undefined },
): Promise<NewSession> {
  // Checked before hashing, so that only people with a valid link make the server do that work; and again inside.
  const { email } = await getInvitation(database, clock, input.token);
  await requireValidPassword(input.password, { email, pointer: '/password' });
  const passwordHash = await hashPassword(input.password);
  return database.write(async (transaction) => {
    const invitation = await lockInvitation(transaction, clock, input.token);
    const user = await createUser(transaction, clock, {
      email: invitation.email,
      name: input.name,
      passwordHash,
    });
    await useInvitation(transaction, clock, invitation, user.id);
    const { address, userAgent } = input;
    return startRecordedSession(transaction, clock, user, { method: 'invitation', address, userAgent });
  });
}
