import type { Visualization } from '#contract/reports/visualizations.ts';
import {
  isCountryName,
  isEndName,
  isLatitudeName,
  isLongitudeName,
  isProgressName,
  isShareName,
  isSinkName,
  isSourceName,
  isStageName,
  isStartName,
  isStateName,
  isTargetName,
} from './names.ts';
import { areCountries, areStates } from './places.ts';
import { isProse, type Role, type Roles } from './roles.ts';

const maxColors = 12;

/** Returns a visualization that the names of the columns ask for, such as a map of latitudes and longitudes; else undefined. */
export const suggestByName = (roles: Roles): Visualization | undefined =>
  suggestGauge(roles) ??
  (roles.rowCount < 2
    ? undefined
    : (suggestPoints(roles) ??
      suggestGantt(roles) ??
      suggestSankey(roles) ??
      suggestRegions(roles) ??
      suggestFunnel(roles) ??
      suggestPie(roles)));

function suggestGauge({ measures, rowCount }: Roles): Visualization | undefined {
  const [target, ...others] = measures.filter(({ name }) => isTargetName(name));
  const value = measures.find((measure) => measure !== target);
  if (rowCount !== 1 || target === undefined || value === undefined || others.length > 0) return undefined;
  return measures.length === 2 ? { kind: 'gauge', value: value.name, targetField: target.name } : undefined;
}

function suggestPoints({ measures, categories }: Roles): Visualization | undefined {
  const latitude = measures.find(({ name }) => isLatitudeName(name));
  const longitude = measures.find(({ name }) => isLongitudeName(name));
  if (latitude === undefined || longitude === undefined) return undefined;
  const isWithin = ({ numbers }: Role, limit: number) => numbers.every((number) => Math.abs(number) <= limit);
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return undefined;
  const value = measures.find((measure) => measure !== latitude && measure !== longitude);
  const label =
    categories.find((category) => category.texts.length > maxColors && !isProse(category)) ?? categories[0];
  const color = categories.find((category) => category !== label && category.texts.length <= maxColors);
  return {
    kind: 'map',
    latitude: latitude.name,
    longitude: longitude.name,
    ...(value !== undefined && { value: value.name }),
    ...(label !== undefined && { label: label.name }),
    ...(color !== undefined && { color: color.name }),
  };
}

function suggestGantt({ times, categories, measures }: Roles): Visualization | undefined {
  const start = times.find(({ name }) => isStartName(name));
  const end = times.find((time) => time !== start && isEndName(time.name));
  const [label, ...others] = categories.toSorted((a, b) => b.texts.length - a.texts.length);
  if (start === undefined || end === undefined || label === undefined) return undefined;
  const group = others.find(({ texts }) => texts.length <= maxColors);
  const progress = measures.find(({ name }) => isProgressName(name));
  return {
    kind: 'gantt',
    label: label.name,
    start: start.name,
    end: end.name,
    ...(group !== undefined && { group: group.name }),
    ...(progress !== undefined && { progress: progress.name }),
  };
}

function suggestSankey({ categories, measures, times }: Roles): Visualization | undefined {
  const [source, target] = categories;
  const [value] = measures;
  if (source === undefined || target === undefined || value === undefined) return undefined;
  if (categories.length !== 2 || measures.length !== 1 || times.length > 0) return undefined;
  return isSourceName(source.name) && isSinkName(target.name)
    ? { kind: 'sankey', source: source.name, target: target.name, value: value.name }
    : undefined;
}

function suggestRegions({ categories, measures, times, rowCount }: Roles): Visualization | undefined {
  const [region] = categories;
  const [value] = measures;
  if (region === undefined || value === undefined || categories.length > 1 || measures.length > 1)
    return undefined;
  // Several rows of a country would be added up.
  if (times.length > 0 || region.texts.length < rowCount || region.texts.length < 3) return undefined;
  const settings = { kind: 'map', region: region.name, value: value.name } as const;
  if (isCountryName(region.name) && areCountries(region.texts)) return settings;
  return isStateName(region.name) && areStates(region.texts) ? { ...settings, map: 'usStates' } : undefined;
}

function suggestFunnel({ categories, measures, times, rowCount }: Roles): Visualization | undefined {
  const [stage] = categories;
  const [value] = measures;
  if (stage === undefined || value === undefined || times.length > 0) return undefined;
  if (categories.length > 1 || measures.length > 1 || !isStageName(stage.name)) return undefined;
  const { numbers } = value;
  const isFalling = numbers.every(
    (number, index) => number >= 0 && number <= (numbers[index - 1] ?? Infinity),
  );
  return isFalling && rowCount >= 3 && rowCount <= maxColors && numbers.length === rowCount
    ? { kind: 'funnel', category: stage.name, value: value.name }
    : undefined;
}

const maxSlices = 6;

/** Shares of a whole add up to 1 or to 100. Otherwise, bars are easier to compare. */
function suggestPie({ categories, measures, times, rowCount }: Roles): Visualization | undefined {
  const [category] = categories;
  const [value] = measures;
  if (category === undefined || value === undefined || times.length > 0) return undefined;
  if (categories.length > 1 || measures.length > 1 || rowCount > maxSlices || rowCount < 2) return undefined;
  const { numbers } = value;
  const sum = numbers.reduce((total, number) => total + number, 0);
  const isWhole = [1, 100].some((whole) => Math.abs(sum - whole) < whole * 0.002);
  if (
    !isWhole ||
    !isShareName(value.name) ||
    numbers.some((number) => number < 0) ||
    category.texts.length < rowCount
  )
    return undefined;
  const format = value.isShare ? { format: { kind: 'percent' as const } } : {};
  return numbers.length === rowCount && !category.isOrdinal
    ? { kind: 'pie', category: category.name, value: value.name, ...format }
    : undefined;
}
