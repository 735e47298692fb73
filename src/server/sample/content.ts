import { flightReports } from './flights.ts';
import type { SampleReport } from './report.ts';

export const sampleName = 'Sample data';

export const sampleDashboard = {
  name: 'A first look',
  description: 'Nine reports over real public data. Open one, change it, or use it as a starting point.',
};

export const sampleReports: readonly SampleReport[] = [
  ...flightReports,
  {
    layout: { x: 0, y: 12, w: 6, h: 6 },
    report: {
      name: 'Five stock prices',
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
    layout: { x: 6, y: 12, w: 6, h: 6 },
    report: {
      name: 'Fertility and life expectancy',
      description: 'One dot per country: children per woman, life expectancy, and population.',
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
        xAxis: { title: 'Children per woman' },
        yAxis: { title: 'Life expectancy in years', min: 30 },
      },
    },
  },
  {
    layout: { x: 0, y: 18, w: 7, h: 6 },
    report: {
      name: 'Seattle temperatures',
      description: 'Average daily high by month and year.',
      query:
        "SELECT\n  strftime(date, '%b') AS month,\n  year(date) AS year,\n  round(avg(temp_max), 1) AS temperature\n" +
        'FROM weather\nGROUP BY 1, 2, month(date)\nORDER BY year, month(date)',
      visualization: {
        kind: 'heatMap',
        x: 'month',
        y: 'year',
        value: 'temperature',
        format: { kind: 'number', decimals: 1, suffix: ' °C' },
        xAxis: { scale: 'category' },
        yAxis: { scale: 'category' },
      },
    },
  },
  {
    layout: { x: 7, y: 18, w: 5, h: 6 },
    report: {
      name: 'Film revenue by genre',
      description: 'Worldwide gross revenue by genre.',
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
