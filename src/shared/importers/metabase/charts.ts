import { t } from '../../language/messages.ts';
import type { ConvertedVisualization } from '../conversion.ts';
import type { OutputColumn } from '../sql/output-columns.ts';
import { fieldsIn, listIn, own, textIn, type Fields } from '../values.ts';

/** Returns the visualization of a question, or a table if its columns aren't known or don't fit. */
export function chartOf(
  card: Fields,
  columns: readonly OutputColumn[] | undefined,
  note: (what: string) => void,
): ConvertedVisualization {
  const display = textIn(card, 'display') ?? 'table';
  if (display === 'table') return { kind: 'table' };
  const settings = fieldsIn(card, 'visualization_settings');
  const named = (name: string) => listIn(settings, name).filter((each) => typeof each === 'string');
  const names = (columns ?? []).map(({ name }) => name);
  const dimensions = named('graph.dimensions').filter(
    (name) => columns === undefined || names.includes(name),
  );
  const [x = names[0], splitBy] = dimensions;
  const metrics = named('graph.metrics').filter((name) => columns === undefined || names.includes(name));
  const fields = metrics.length > 0 ? metrics : names.filter((name) => name !== x && name !== splitBy);
  const value = textIn(settings, 'scalar.field') ?? names.at(-1);
  const stack = textIn(settings, 'stackable.stack_type');
  switch (display) {
    case 'scalar':
      if (value !== undefined) return { kind: 'number', value };
      break;
    case 'smartscalar':
      if (value !== undefined && names[0] !== undefined && names.length > 1)
        return { kind: 'number', value, trend: { by: names[0] } };
      break;
    case 'gauge':
    case 'progress':
      if (value !== undefined) return { kind: 'gauge', value };
      break;
    case 'pie': {
      const category = textIn(settings, 'pie.dimension') ?? names[0];
      const metric = textIn(settings, 'pie.metric') ?? names[1];
      if (category !== undefined && metric !== undefined) return { kind: 'pie', category, value: metric };
      break;
    }
    case 'scatter':
      if (x !== undefined && fields[0] !== undefined) return { kind: 'scatter', x, y: fields[0] };
      break;
    case 'line':
    case 'area':
    case 'bar':
    case 'row': {
      if (x === undefined || fields.length === 0) break;
      const title = textIn(settings, 'graph.y_axis.title_text');
      const shared = {
        x,
        series: fields.slice(0, 20).map((field) => ({ field })),
        ...(splitBy !== undefined && { splitBy }),
        ...(stack === 'stacked' && { stacking: 'stacked' as const }),
        ...(stack === 'normalized' && { stacking: 'percent' as const }),
        ...(title !== undefined && { yAxis: { title: title.slice(0, 1000) } }),
      };
      if (own(settings, 'graph.show_goal') === true) note(t('Its goal line was dropped.'));
      return display === 'row'
        ? { kind: 'bar', isHorizontal: true, ...shared }
        : { kind: display, ...shared };
    }
    default:
      note(t('The chart type “{type}” has no equivalent. The result is a table.', { type: display }));
      return { kind: 'table' };
  }
  note(t('The columns of its query are not known, so the result is a table. Choose a chart type.'));
  return { kind: 'table' };
}
