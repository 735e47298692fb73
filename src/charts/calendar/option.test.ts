import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { defaultCalendar, setCalendar } from '#shared/region/calendar.ts';
import { defaultRegion, setRegion } from '#shared/region/region.ts';
import { lightTheme } from '../drawing/palette.ts';
import { calendarChart } from './option.ts';

afterEach(() => {
  setRegion(defaultRegion);
  setCalendar(defaultCalendar);
});

test('a calendar has the names of the locale and the week start of the organization', () => {
  setRegion({ locale: 'de-DE', currency: 'EUR' });
  setCalendar({ timeZone: 'UTC', weekStart: 'sunday' });
  const columns = [
    { name: 'day', type: 'date', sourceType: '' },
    { name: 'amount', type: 'double', sourceType: '' },
  ] as const;
  const { option, tooltip } = calendarChart(
    { kind: 'calendar', date: 'day', value: 'amount' },
    { columns, rows: [['2026-03-02', 1.5]] },
    lightTheme,
  );
  const [{ dayLabel, monthLabel } = {}] = [option.calendar ?? []].flat();
  assert.equal(dayLabel?.firstDay, 0);
  assert.deepEqual(dayLabel.nameMap, ['', 'Mo', '', 'Mi', '', 'Fr', '']);
  assert.equal(monthLabel?.nameMap?.[2], 'Mär');
  assert.deepEqual(tooltip?.contentOf([{ seriesIndex: 0, dataIndex: 0 }]), {
    title: 'Montag, 2. März 2026',
    lines: [{ label: 'amount', value: '1,5' }],
  });
});
