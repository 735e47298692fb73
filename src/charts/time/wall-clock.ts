/**
 * Times that charts share are those that people read on their axes: the milliseconds since 1970 if the clock on the wall showed UTC.
 * Columns without a zone are shown in UTC, and instants in the zone of the reader, so that a position on one axis isn't the same
 * position on another.
 */
export type WallTime = number;

/** Returns the time that people read at a position of an axis. */
export function toWallTime(position: number, isUtc: boolean): WallTime {
  if (isUtc) return position;
  const at = new Date(position);
  return Date.UTC(
    at.getFullYear(),
    at.getMonth(),
    at.getDate(),
    at.getHours(),
    at.getMinutes(),
    at.getSeconds(),
    at.getMilliseconds(),
  );
}

/** Returns the position of a time on an axis. */
export function toPosition(wall: WallTime, isUtc: boolean): number {
  if (isUtc) return wall;
  const at = new Date(wall);
  return new Date(
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    at.getUTCMilliseconds(),
  ).getTime();
}
