import { geoAlbersUsa, geoEqualEarth, geoIdentity, geoStream, type GeoStreamWrapper } from 'd3-geo';
import type { FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import usStates from 'us-atlas/states-albers-10m.json' with { type: 'json' };
import world from 'world-atlas/countries-110m.json' with { type: 'json' };
import type { OfKind } from '../kind.ts';
import { smallCountries } from './small-countries.ts';

export type MapName = NonNullable<OfKind<'map'>['map']>;

export type Point = readonly [x: number, y: number];

/** A rectangle on a projected map. */
export interface Bounds {
  readonly from: Point;
  readonly to: Point;
}

/** A map in the plane, whose y axis points down. */
export interface Geometry {
  /** The areas. The name of each is its code, or its English name if it has none. */
  readonly areas: FeatureCollection<Polygon | MultiPolygon, { readonly name: string }>;
  /** The English names of the areas, by code. */
  readonly names: ReadonlyMap<string, string>;
  /** The largest part of each area, which decides what is visible: overseas territories don't. */
  readonly bounds: ReadonlyMap<string, Bounds>;
  /** Where the regions are that are too small to be areas. */
  readonly dots: ReadonlyMap<string, Point>;
  readonly whole: Bounds;
  /** Returns where a place is; undefined if it isn't on the map. */
  readonly place: (longitude: number, latitude: number) => Point | undefined;
}

type Atlas = Topology<Record<string, GeometryCollection<{ readonly name: string }>>>;

/** Ice without countries takes a sixth of the map. */
const antarctica = '010';

const equalEarth = geoEqualEarth();
/** The projection of the states in us-atlas, as its documentation describes it. */
const albers = geoAlbersUsa().scale(1300).translate([487.5, 305]);

/** The maps, of which each is made when it is shown for the first time. */
const makers: Readonly<Record<MapName, () => Geometry>> = {
  world: () =>
    // Sound because the files are topologies with these objects.
    geometryOf(world as unknown as Atlas, 'countries', equalEarth),
  usStates: () => geometryOf(usStates as unknown as Atlas, 'states', geoIdentity()),
};

const made = new Map<MapName, Geometry>();

export function geometryOfMap(map: MapName): Geometry {
  const geometry = made.get(map) ?? makers[map]();
  made.set(map, geometry);
  return geometry;
}

function geometryOf(atlas: Atlas, objects: 'countries' | 'states', projection: GeoStreamWrapper): Geometry {
  const collection = atlas.objects[objects];
  const features = collection === undefined ? [] : feature(atlas, collection).features;
  const areas = features.flatMap(({ id, geometry, properties }) => {
    if (id === antarctica || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return [];
    const coordinates = project(geometry, projection);
    // Kosovo has no numeric code.
    const code = id === undefined ? properties.name : String(id);
    return [{ code, name: properties.name, geometry: { type: 'MultiPolygon' as const, coordinates } }];
  });
  const bounds = new Map(areas.map(({ code, geometry }) => [code, largestPart(geometry.coordinates)]));
  const isWorld = objects === 'countries';
  const place = (longitude: number, latitude: number) =>
    (isWorld ? equalEarth : albers)([longitude, latitude]) ?? undefined;
  const dots = isWorld ? smallCountries : [];
  return {
    areas: {
      type: 'FeatureCollection',
      features: areas.map(({ code, geometry }) => ({
        type: 'Feature',
        properties: { name: code },
        geometry,
      })),
    },
    names: new Map(areas.map(({ code, name }) => [code, name])),
    bounds,
    dots: new Map(
      dots.flatMap(([code, longitude, latitude]) => {
        const point = place(longitude, latitude);
        return point === undefined ? [] : [[code, point]];
      }),
    ),
    whole: around(areas.flatMap(({ geometry }) => geometry.coordinates.flat(2).map(pointOf))) ?? {
      from: [0, 0],
      to: [1, 1],
    },
    place,
  };
}

const pointOf = ([x = 0, y = 0]: Position): Point => [x, y];

/** Returns the polygons of an area in the plane, cut where the map ends: Russia goes on at its other side. */
function project(area: Polygon | MultiPolygon, projection: GeoStreamWrapper): Position[][][] {
  const rings: Position[][] = [];
  let ring: Position[] = [];
  const nothing = () => undefined;
  geoStream(
    area,
    projection.stream({
      point: (x, y) => ring.push([x, y]),
      lineStart: () => {
        ring = [];
      },
      lineEnd: () => rings.push(ring),
      polygonStart: nothing,
      polygonEnd: nothing,
    }),
  );
  const areas = rings.map(areaOf);
  const largest = areas.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0);
  // The holes of an area, such as Lesotho, run the other way around.
  const isHole = (index: number) => Math.sign(areas[index] ?? 0) !== Math.sign(largest);
  const holes = rings.filter((_, index) => isHole(index));
  return rings.flatMap((outer, index) => {
    if (isHole(index)) return [];
    return [areas[index] === largest ? [outer, ...holes] : [outer]];
  });
}

/** Returns the area of a ring, which is negative if it runs the other way around. */
const areaOf = (ring: readonly Position[]): number =>
  ring.reduce((sum, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = ring[(index + 1) % ring.length] ?? [];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);

const largestPart = (polygons: readonly Position[][][]): Bounds => {
  const parts = polygons.flatMap(([outer = []]) => around(outer.map(pointOf)) ?? []);
  const sizeOf = ({ from, to }: Bounds) => (to[0] - from[0]) * (to[1] - from[1]);
  return parts.reduce((largest, part) => (sizeOf(part) > sizeOf(largest) ? part : largest));
};

/** Returns the smallest rectangle with all points; undefined if there are none. */
export function around(points: readonly Point[]): Bounds | undefined {
  if (points.length === 0) return undefined;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { from: [left, top], to: [right, bottom] };
}

/** The smallest part of the map that is shown: its outlines are too rough for less. */
const minShare = 0.06;
/** From this share of the width on, the whole map is shown. */
const wholeShare = 0.55;
const padding = 0.08;

/** Returns the part of a map that shows a rectangle, with space around it. */
export function viewOf(bounds: Bounds | undefined, { whole }: Geometry): Bounds {
  const width = whole.to[0] - whole.from[0];
  if (bounds === undefined || bounds.to[0] - bounds.from[0] > width * wholeShare) return whole;
  const middle = [0, 1].map((axis) => ((bounds.from[axis] ?? 0) + (bounds.to[axis] ?? 0)) / 2);
  const half = [0, 1].map((axis) => {
    const size = (bounds.to[axis] ?? 0) - (bounds.from[axis] ?? 0);
    return (Math.max(size, width * minShare) / 2) * (1 + 2 * padding);
  });
  const [x = 0, y = 0] = middle;
  const [halfWidth = 1, halfHeight = 1] = half;
  return { from: [x - halfWidth, y - halfHeight], to: [x + halfWidth, y + halfHeight] };
}
