import { isExhaustive } from '../../support/exhaustive.ts';
import { engines, type Engine } from '../../support/server/test-server.ts';
import { actors, expected, type ActorName } from './table.ts';

/** Kinds of actors. Within a kind, a line of the table mostly has the same status. */
const kinds = {
  strangers: ['none', 'expired'],
  /** By role, from the lowest. */
  members: ['viewer', 'editor', 'admin', 'owner'],
  others: ['other', 'sso-other'],
  credentials: ['sso', 'token', 'read-token', 'service', 'code', 'device', 'client'],
} as const satisfies Record<string, readonly ActorName[]>;

/** Exceptions of a kind are rarer than this, and all of them are in the sample. */
const exceptionCount = 2;

/**
 * Returns the actors whose requests for a line of the table are sent: of roles, the pairs of neighbors between which the status
 * changes, and of every other kind, one actor for each status and every exception. Lines take turns in which one. PostgreSQL gets
 * one actor for each status, since its SQL is what could differ. In `npm run test:exhaustive`, it is every actor.
 */
export function sampleOf(line: string, engine: Engine): readonly ActorName[] {
  if (isExhaustive) return actors;
  if (engine === 'PostgreSQL')
    return [...Map.groupBy(actors, (actor) => statusOf(line, actor)).values()].map((alike) =>
      takeTurn(line, alike, engine),
    );
  const { members, ...others } = kinds;
  const sampled = new Set([
    ...changesOf(line, members, engine),
    ...Object.values(others).flatMap((kind) => representativesOf(line, kind, engine)),
  ]);
  return actors.filter((actor) => sampled.has(actor));
}

/** The actor whose foreign requests are compared with those about what doesn't exist. */
export const othersOf = (line: string, engine: Engine): readonly ActorName[] =>
  isExhaustive ? kinds.others : [takeTurn(line, kinds.others, engine)];

function changesOf(line: string, roles: readonly ActorName[], engine: Engine): readonly ActorName[] {
  const changes = roles.filter((role, index) =>
    [roles[index - 1], roles[index + 1]].some(
      (neighbor) => neighbor !== undefined && statusOf(line, neighbor) !== statusOf(line, role),
    ),
  );
  return changes.length > 0 ? changes : [takeTurn(line, roles, engine)];
}

function representativesOf(line: string, kind: readonly ActorName[], engine: Engine): readonly ActorName[] {
  const byStatus = [...Map.groupBy(kind, (actor) => statusOf(line, actor)).values()];
  return byStatus.flatMap((alike) =>
    byStatus.length > 1 && alike.length <= exceptionCount ? alike : [takeTurn(line, alike, engine)],
  );
}

function takeTurn(line: string, among: readonly ActorName[], engine: Engine): ActorName {
  const turn = Object.keys(expected).indexOf(line) + engines.indexOf(engine);
  // Sound because no kind is empty.
  return among[turn % among.length] as ActorName;
}

const statusOf = (line: string, actor: ActorName): number | undefined => expected[line]?.[actor];
