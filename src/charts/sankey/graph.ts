import { t } from '#shared/language/messages.ts';

/** Rows that flow from one name to another, and their sum. */
export interface Flow {
  readonly source: string;
  readonly target: string;
  /** Greater than zero. */
  readonly value: number;
  readonly rows: readonly (readonly unknown[])[];
}

/** A name of a flow, or several that are combined. */
export interface Node {
  readonly name: string;
  readonly inflow: readonly Link[];
  readonly outflow: readonly Link[];
  /** How many names are combined; undefined for a single one. */
  readonly combined?: number;
}

/** A flow between two nodes, by their indexes. */
export interface Link extends Flow {
  readonly from: number;
  readonly to: number;
}

export interface Graph {
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  /** Flows that lead back to where they came from, the largest first. ECharts can't place these. */
  readonly circular: readonly Flow[];
  /** The number of different names. */
  readonly nameCount: number;
}

/** More nodes than this are too thin. The smallest are combined. */
export const maxNodes = 60;

/** What a name is in the graph; the smallest names are combined with others of the same place. */
type Place = 'source' | 'between' | 'target';

/**
 * Returns the nodes and links of flows without circles. Of the flows that form one, the smallest is left out.
 * @param hasSeparateSides Whether a name that is both a source and a target is two nodes, so that there are no circles.
 */
export function graphOf(flows: readonly Flow[], hasSeparateSides: boolean): Graph {
  const keyOf = (name: string, side: 'source' | 'target') =>
    hasSeparateSides ? JSON.stringify([side, name]) : name;
  const ends = flows.map((flow) => ({
    flow,
    from: keyOf(flow.source, 'source'),
    to: keyOf(flow.target, 'target'),
  }));
  const combined = combinedNames(ends);
  const names = new Map<string, { readonly index: number; readonly name: string }>();
  const indexOf = (key: string, name: string): number => {
    const place = combined.placeOf.get(key);
    const ownKey = place === undefined ? `name ${key}` : `other ${place}`;
    const own = names.get(ownKey) ?? {
      index: names.size,
      name: place === undefined ? name : t('Other ({place})', { place: combined.counts.get(place) ?? 0 }),
    };
    names.set(ownKey, own);
    return own.index;
  };
  const placed = ends.map(({ flow, from, to }) => ({
    flow,
    from: indexOf(from, flow.source),
    to: indexOf(to, flow.target),
  }));
  const nodeNames = [...names.values()].map(({ name }) => name);
  const candidates = [...Map.groupBy(placed, ({ from, to }) => `${from} ${to}`).values()]
    .map((same): Link => {
      const [{ from, to } = { from: 0, to: 0 }] = same;
      return {
        source: nodeNames[from] ?? '',
        target: nodeNames[to] ?? '',
        value: same.reduce((sum, { flow }) => sum + flow.value, 0),
        rows: same.flatMap(({ flow }) => flow.rows),
        from,
        to,
      };
    })
    .toSorted((a, b) => b.value - a.value);
  const { links, circular } = withoutCircles(candidates, nodeNames.length);
  const inflow = Map.groupBy(links, ({ to }) => to);
  const outflow = Map.groupBy(links, ({ from }) => from);
  const counts = new Map(
    [...combined.counts].map(([place, count]) => [names.get(`other ${place}`)?.index ?? -1, count]),
  );
  const nodes = nodeNames.map((name, index): Node => {
    const count = counts.get(index);
    return {
      name,
      inflow: inflow.get(index) ?? [],
      outflow: outflow.get(index) ?? [],
      ...(count !== undefined && { combined: count }),
    };
  });
  return { ...withoutUnused(nodes, links), circular, nameCount: combined.nameCount };
}

interface End {
  readonly flow: Flow;
  readonly from: string;
  readonly to: string;
}

/** Returns which names are combined, by their place: the smallest ones, if there are too many. */
function combinedNames(ends: readonly End[]): {
  readonly placeOf: ReadonlyMap<string, Place>;
  readonly counts: ReadonlyMap<Place, number>;
  readonly nameCount: number;
} {
  const sums = new Map<string, { in: number; out: number }>();
  const sumsOf = (key: string) => {
    const known = sums.get(key) ?? { in: 0, out: 0 };
    sums.set(key, known);
    return known;
  };
  for (const { flow, from, to } of ends) {
    sumsOf(from).out += flow.value;
    sumsOf(to).in += flow.value;
  }
  const sorted = [...sums].toSorted(([, a], [, b]) => Math.max(b.in, b.out) - Math.max(a.in, a.out));
  // There is a node for the combined ones of each of the three places.
  const rest = sorted.length <= maxNodes ? [] : sorted.slice(maxNodes - 3);
  const placeOf = new Map(
    rest.map(([key, sum]): [string, Place] => [
      key,
      sum.in === 0 ? 'source' : sum.out === 0 ? 'target' : 'between',
    ]),
  );
  const places = Map.groupBy(placeOf.values(), (place) => place);
  const counts = new Map([...places].map(([place, { length }]) => [place, length]));
  return { placeOf, counts, nameCount: sums.size };
}

/** Returns the links that can be placed from left to right, and those that would lead back, both in the order given. */
function withoutCircles(
  sorted: readonly Link[],
  nodeCount: number,
): { readonly links: Link[]; readonly circular: Link[] } {
  const links: Link[] = [];
  const circular: Link[] = [];
  const next = Array.from({ length: nodeCount }, (): number[] => []);
  for (const link of sorted) {
    if (isReachable(next, link.to, link.from)) circular.push(link);
    else {
      links.push(link);
      next[link.from]?.push(link.to);
    }
  }
  return { links, circular };
}

function isReachable(next: readonly (readonly number[])[], start: number, end: number): boolean {
  const seen = new Set([start]);
  // A set that grows while it is read.
  for (const node of seen) {
    if (node === end) return true;
    for (const following of next[node] ?? []) seen.add(following);
  }
  return false;
}

/** Returns the nodes that have links. */
function withoutUnused(nodes: readonly Node[], links: readonly Link[]): Pick<Graph, 'nodes' | 'links'> {
  const used = [...nodes.entries()].filter(([, { inflow, outflow }]) => inflow.length + outflow.length > 0);
  if (used.length === nodes.length) return { nodes, links };
  const indexes = new Map(used.map(([before], index) => [before, index]));
  return {
    nodes: used.map(([, node]) => node),
    links: links.map((link) => ({
      ...link,
      from: indexes.get(link.from) ?? 0,
      to: indexes.get(link.to) ?? 0,
    })),
  };
}

/** Returns how many nodes the longest way through a graph has, and how many there are in its fullest column. */
export function sizeOf({ nodes, links }: Pick<Graph, 'nodes' | 'links'>): {
  readonly columns: number;
  readonly rows: number;
} {
  const depths = nodes.map(() => 0);
  // Each round moves what follows to the right; without circles, there are at most as many rounds as nodes.
  let hasMoved = true;
  while (hasMoved) {
    hasMoved = false;
    for (const { from, to } of links) {
      const depth = (depths[from] ?? 0) + 1;
      if ((depths[to] ?? 0) >= depth) continue;
      depths[to] = depth;
      hasMoved = true;
    }
  }
  const last = Math.max(0, ...depths);
  const columns = nodes.map(({ outflow }, index) => (outflow.length === 0 ? last : (depths[index] ?? 0)));
  const counts = [...Map.groupBy(columns, (column) => column).values()].map(({ length }) => length);
  return { columns: last + 1, rows: Math.max(0, ...counts) };
}
