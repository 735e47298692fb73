import type { EditingPerson } from '#contract/dashboards/events.ts';
import type { Actor } from '../../base/actor.ts';
import type { Reader } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { selectMentionable } from './recipient-store.ts';

/** Of larger organizations, only the first members by name are found. */
const maxSearched = 5_000;
const maxFound = 20;

/** Returns up to 20 members who may view a dashboard, and whose name has a word that starts with `q`. */
export async function listMentionable(
  reader: Reader,
  actor: Actor,
  { dashboardId, q = '' }: { readonly dashboardId: string; readonly q?: string | undefined },
): Promise<EditingPerson[]> {
  await requireDashboard(reader, actor, dashboardId);
  const people = await selectMentionable(reader, { dashboardId, limit: maxSearched });
  // In JavaScript, since SQLite only folds ASCII.
  const start = folded(q.trim());
  return people
    .filter(({ name }) => {
      const text = folded(name);
      return text.startsWith(start) || text.includes(` ${start}`);
    })
    .slice(0, maxFound);
}

const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
