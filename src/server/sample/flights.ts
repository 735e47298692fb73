import type { ReportParameter } from '#contract/reports/reports.ts';
import type { SampleReport } from './report.ts';

const airport: ReportParameter = {
  name: 'airport',
  label: 'From airport',
  type: 'text',
  default: null,
  allowed: { query: 'SELECT origin FROM flights GROUP BY 1 ORDER BY count(*) DESC LIMIT 50' },
};
const fromAirport = "date < '2001-07-01' AND ({{airport}} IS NULL OR origin = {{airport}})";

/** Three million flights within the United States, from January to June 2001. */
export const flightReports: readonly SampleReport[] = [
  {
    layout: { x: 0, y: 0, w: 3, h: 3 },
    report: {
      name: 'Flights',
      description: 'Within the United States, January to June 2001.',
      query: `SELECT count(*) AS flights\nFROM flights\nWHERE ${fromAirport}`,
      parameters: [airport],
      visualization: {
        kind: 'number',
        value: 'flights',
        format: { kind: 'number' },
      },
    },
  },
  {
    layout: { x: 0, y: 3, w: 3, h: 3 },
    report: {
      name: 'Late flights in June',
      description: 'Share of flights more than 15 minutes late, compared with May.',
      query:
        'SELECT\n  avg(CASE WHEN delay > 15 THEN 1 ELSE 0 END) FILTER (month(date) = 6) AS june,\n' +
        '  avg(CASE WHEN delay > 15 THEN 1 ELSE 0 END) FILTER (month(date) = 5) AS may\n' +
        `FROM flights\nWHERE ${fromAirport}`,
      parameters: [airport],
      visualization: {
        kind: 'number',
        value: 'june',
        format: { kind: 'percent', decimals: 1 },
        comparison: { field: 'may', label: 'May', isLessBetter: true, showAs: 'value' },
      },
    },
  },
  {
    layout: { x: 3, y: 0, w: 9, h: 6 },
    report: {
      name: 'Late flights by hour',
      description: 'Share of flights more than 15 minutes late, by hour of departure.',
      query:
        'SELECT\n  hour(date) AS hour,\n  avg(CASE WHEN delay > 15 THEN 1 ELSE 0 END) AS late,\n  count(*) AS ' +
        'flights\n' +
        `FROM flights\nWHERE hour(date) >= 5 AND ${fromAirport}\nGROUP BY 1\nORDER BY 1`,
      parameters: [airport],
      visualization: {
        kind: 'bar',
        x: 'hour',
        series: [{ field: 'late', label: 'Late', format: { kind: 'percent', decimals: 1 } }],
        xAxis: { title: 'Hour of departure', scale: 'category' },
        yAxis: { format: { kind: 'percent', decimals: 0 }, min: 0 },
        hasLegend: false,
      },
    },
  },
  {
    layout: { x: 0, y: 6, w: 6, h: 6 },
    report: {
      name: 'Flights by month',
      description: 'On time, and more than 15 minutes late.',
      query:
        "SELECT\n  strftime(date, '%b') AS month,\n  count(*) FILTER (delay <= 15) AS on_time,\n" +
        `  count(*) FILTER (delay > 15) AS late\nFROM flights\nWHERE ${fromAirport}\n` +
        'GROUP BY 1, month(date)\nORDER BY month(date)',
      parameters: [airport],
      visualization: {
        kind: 'bar',
        x: 'month',
        series: [
          { field: 'on_time', label: 'On time', color: '1' },
          { field: 'late', label: 'Late', color: '2' },
        ],
        stacking: 'stacked',
        yAxis: { format: { kind: 'number', isCompact: true } },
      },
    },
  },
  {
    layout: { x: 6, y: 6, w: 6, h: 6 },
    report: {
      name: 'Busiest airports',
      description: 'By departing flights. Select an airport to filter the flight charts.',
      query:
        'SELECT\n  origin AS airport,\n  count(*) AS flights\nFROM flights\nGROUP BY 1\nORDER BY 2 DESC\nLIMIT 10',
      visualization: {
        kind: 'bar',
        isHorizontal: true,
        x: 'airport',
        series: [{ field: 'flights', label: 'Flights' }],
        yAxis: { format: { kind: 'number', isCompact: true } },
        hasLegend: false,
      },
    },
  },
];
