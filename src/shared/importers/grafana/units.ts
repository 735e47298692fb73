import type { ValueFormat } from '../../visualizations/format.ts';
import { numberIn, textIn, type Fields } from '../values.ts';

const suffixes: Readonly<Record<string, string>> = {
  percent: '%',
  humidity: ' %H',
  s: ' s',
  ms: ' ms',
  µs: ' µs',
  ns: ' ns',
  m: ' min',
  h: ' h',
  d: ' d',
  dtdurations: ' s',
  dtdurationms: ' ms',
  bytes: ' B',
  decbytes: ' B',
  bits: ' b',
  decbits: ' b',
  kbytes: ' KiB',
  deckbytes: ' kB',
  mbytes: ' MiB',
  decmbytes: ' MB',
  gbytes: ' GiB',
  decgbytes: ' GB',
  Bps: ' B/s',
  binBps: ' B/s',
  bps: ' b/s',
  binbps: ' b/s',
  MBs: ' MB/s',
  KBs: ' kB/s',
  ops: ' ops/s',
  reqps: ' req/s',
  rps: ' rd/s',
  wps: ' wr/s',
  iops: ' io/s',
  cps: ' c/s',
  opm: ' ops/min',
  rpm: ' rd/min',
  celsius: ' °C',
  fahrenheit: ' °F',
  kelvin: ' K',
  watt: ' W',
  kwatt: ' kW',
  watth: ' Wh',
  kwatth: ' kWh',
  volt: ' V',
  amp: ' A',
  hertz: ' Hz',
  degree: '°',
  lengthm: ' m',
  lengthkm: ' km',
  velocitykmh: ' km/h',
  velocityms: ' m/s',
};

/** Large numbers of these units are shortened. */
const compact: ReadonlySet<string> = new Set([
  'short',
  'sishort',
  'bytes',
  'decbytes',
  'bits',
  'decbits',
  'Bps',
  'binBps',
  'bps',
  'binbps',
]);

const plain: ReadonlySet<string> = new Set(['', 'none', 'short', 'sishort', 'string', 'locale', 'bool']);

/** Returns the format for a unit of Grafana and its decimals; undefined if it has none. `isKnown` is false for unknown units. */
export function formatOf(settings: Fields): { format: ValueFormat | undefined; isKnown: boolean } {
  const unit = textIn(settings, 'unit') ?? '';
  const decimals = numberIn(settings, 'decimals');
  const shared = {
    ...(decimals !== undefined &&
      Number.isInteger(decimals) &&
      decimals >= 0 &&
      decimals <= 10 && { decimals }),
    ...(compact.has(unit) && { isCompact: true }),
  };
  const currency = /^currency([A-Z]{3})$/.exec(unit)?.[1];
  const custom = /^(suffix|prefix|currency):(?:financial:)?(.{1,50})$/u.exec(unit);
  if (currency !== undefined) return { format: { kind: 'currency', currency, ...shared }, isKnown: true };
  if (unit === 'percentunit') return { format: { kind: 'percent', ...shared }, isKnown: true };
  if (unit.startsWith('dateTime') || unit.startsWith('time:'))
    return { format: { kind: 'datetime' }, isKnown: unit === 'dateTimeAsIso' };
  if (custom !== null) {
    const isSuffix = custom[1] === 'suffix';
    const text = isSuffix ? { suffix: custom[2] ?? '' } : { prefix: custom[2] ?? '' };
    return { format: { kind: 'number', ...shared, ...text }, isKnown: true };
  }
  const suffix = Object.hasOwn(suffixes, unit) ? suffixes[unit] : undefined;
  if (suffix !== undefined) return { format: { kind: 'number', ...shared, suffix }, isKnown: true };
  const hasFormat = Object.keys(shared).length > 0;
  return { format: hasFormat ? { kind: 'number', ...shared } : undefined, isKnown: plain.has(unit) };
}
