import type { UploadFormat } from '#contract/data-sources.ts';
import type { WidgetInput } from '#contract/dashboards.ts';
import type { ReportEdit } from '#contract/reports.ts';

export const sampleName = 'Sample data';

/** Files of vega-datasets, and the tables they become. */
export const sampleTables: readonly {
  readonly name: string;
  readonly file: string;
  readonly format: UploadFormat;
}[] = [
  { name: 'flights', file: 'flights-3m.parquet', format: 'parquet' },
  { name: 'weather', file: 'seattle-weather.csv', format: 'csv' },
  { name: 'stocks', file: 'stocks.csv', format: 'csv' },
  { name: 'countries', file: 'gapminder.json', format: 'json' },
  { name: 'movies', file: 'movies.json', format: 'json' },
];

/** A report of the sample, and where its dashboard shows it. */
export interface SampleReport {
  readonly report: Omit<ReportEdit, 'dataSourceId'>;
  readonly layout: NonNullable<WidgetInput['layout']>;
}

export const sampleDashboard = {
  name: 'A first look',
  description: 'Real public data in six reports. Open one to see its SQL, change it, or take it as a start.',
};

export const sampleReports: readonly SampleReport[] = [
  {
    layout: { x: 0, y: 0, w: 3, h: 4 },
    report: {
      name: 'Flights that were late',
      description: 'Of three million flights inside of the United States, January to June 2001.',
      query:
        'SELECT\n  avg(CASE WHEN delay > 15 THEN 1 ELSE 0 END) AS late,\n  count(*) AS flights\nFROM flights',
      visualization: {
        kind: 'number',
        value: 'late',
        format: { kind: 'percent', decimals: 1 },
        thresholds: [
          { from: 0, color: '3' },
          { from: 0.2, color: '4' },
        ],
      },
    },
  },
  {
    layout: { x: 3, y: 0, w: 9, h: 4 },
    report: {
      name: 'Delay by hour of the day',
      description: 'Who flies early waits least.',
      query:
        'SELECT\n  hour(date) AS hour,\n  avg(delay) AS delay,\n  count(*) AS flights\nFROM flights\n' +
        'WHERE {{airport}} IS NULL OR origin = {{airport}}\nGROUP BY 1\nORDER BY 1',
      parameters: [
        {
          name: 'airport',
          label: 'From airport',
          type: 'text',
          default: null,
          allowed: {
            query: 'SELECT origin FROM flights GROUP BY 1 ORDER BY count(*) DESC LIMIT 50',
          },
        },
      ],
      visualization: {
        kind: 'bar',
        x: 'hour',
        series: [{ field: 'delay', label: 'Average delay' }],
        xAxis: { title: 'Hour of departure', scale: 'category' },
        yAxis: { title: 'Minutes', format: { kind: 'number', decimals: 0 } },
        hasLegend: false,
      },
    },
  },
  {
    layout: { x: 0, y: 4, w: 6, h: 5 },
    report: {
      name: 'Prices of five stocks',
      description: 'Month by month, 2000 to 2010.',
      query:
        "SELECT\n  strptime(date, '%b %-d %Y')::DATE AS month,\n  symbol,\n  price\nFROM stocks\nORDER BY month, symbol",
      visualization: {
        kind: 'line',
        x: 'month',
        series: [{ field: 'price', label: 'Price', format: { kind: 'currency', currency: 'USD' } }],
        splitBy: 'symbol',
        xAxis: { scale: 'time' },
        yAxis: { title: 'US dollars', scale: 'log' },
      },
    },
  },
  {
    layout: { x: 6, y: 4, w: 6, h: 5 },
    report: {
      name: 'Health and children',
      description:
        'A country each: children a woman has, years a person lives, and how many people there are.',
      query:
        'SELECT country, fertility, life_expect, pop\nFROM countries\nWHERE year = {{year}}\nORDER BY pop DESC',
      parameters: [
        {
          name: 'year',
          label: 'Year',
          type: 'number',
          default: 2005,
          allowed: { query: 'SELECT DISTINCT year FROM countries ORDER BY year DESC' },
        },
      ],
      visualization: {
        kind: 'scatter',
        x: 'fertility',
        y: 'life_expect',
        size: 'pop',
        label: 'country',
        xAxis: { title: 'Children a woman' },
        yAxis: { title: 'Life expectancy in years', min: 30 },
      },
    },
  },
  {
    layout: { x: 0, y: 9, w: 7, h: 5 },
    report: {
      name: 'Warmth of Seattle',
      description: 'The highest temperature of a day, on average, by month and year.',
      query:
        'SELECT\n  month(date) AS month,\n  year(date) AS year,\n  round(avg(temp_max), 1) AS temperature\nFROM weather\n' +
        'GROUP BY 1, 2\nORDER BY 2, 1',
      visualization: {
        kind: 'heatMap',
        x: 'month',
        y: 'year',
        value: 'temperature',
        format: { kind: 'number', decimals: 1, suffix: ' °C' },
        xAxis: { title: 'Month', scale: 'category' },
        yAxis: { scale: 'category' },
      },
    },
  },
  {
    layout: { x: 7, y: 9, w: 5, h: 5 },
    report: {
      name: 'What films earn',
      description: 'Worldwide gross by genre.',
      query:
        'SELECT\n  coalesce("Major Genre", \'Other\') AS genre,\n  count(*) AS films,\n' +
        '  sum("Worldwide Gross")::BIGINT AS gross\nFROM movies\nGROUP BY 1\nORDER BY gross DESC',
      visualization: {
        kind: 'pie',
        category: 'genre',
        value: 'gross',
        isDonut: true,
        maxSlices: 7,
        format: { kind: 'currency', currency: 'USD', isCompact: true },
      },
    },
  },
];
