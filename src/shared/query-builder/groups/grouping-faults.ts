import { isGroupable, isNumeric, isTemporal, type ColumnType } from '../../columns.ts';
import type { ReportFault } from '../faults.ts';
import { isTimeOfDay, type Grouping } from '../structure.ts';

/** Reports what is wrong with how a column of a type is grouped, and returns whether it is valid. */
export function reportGroupingFaults(
  report: ReportFault,
  pointer: string,
  type: ColumnType,
  { granularity, binWidth }: Grouping,
): boolean {
  const found: [place: string, message: string][] = [];
  if (!isGroupable(type)) found.push(['', `Rows can’t be grouped by a column of the type ${type}.`]);
  if (granularity !== undefined && !isTemporal(type))
    found.push(['/granularity', 'Only dates and times have units such as months.']);
  else if (type === 'date' && granularity !== undefined && isTimeOfDay(granularity))
    found.push(['/granularity', 'A date has no time: choose days or a longer unit.']);
  if (binWidth !== undefined && !isNumeric(type))
    found.push(['/binWidth', 'Only numbers can be grouped into ranges.']);
  else if (binWidth !== undefined && !(binWidth >= 1e-9 && binWidth <= 1e15))
    found.push(['/binWidth', 'The width of a group must be a number above 0.']);
  for (const [place, message] of found) report(`${pointer}${place}`, message);
  return found.length === 0;
}
