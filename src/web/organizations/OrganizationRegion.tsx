import { NativeSelect, Select, SimpleGrid, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Organization, OrganizationChange } from '#contract/organizations/organizations.ts';
import { timeZones } from '#shared/dates/time-zones.ts';
import { currentLanguage } from '#shared/language/current.ts';
import { t } from '#shared/language/messages.ts';
import { weekStarts, type WeekStart } from '#shared/query-builder/structure.ts';
import { currencies, noCurrency } from '#shared/region/currencies.ts';
import { locales, readersLocale, type OrganizationLocale } from '#shared/region/locales.ts';
import { call } from '../app/api.ts';
import { Form } from '../ui/forms/Form.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';

const weekStartNames: Readonly<Record<WeekStart, string>> = {
  monday: t('Monday'),
  sunday: t('Sunday'),
  saturday: t('Saturday'),
};

/** Sets when days and weeks begin, and how dates, numbers and amounts of money are written. */
export function OrganizationRegion({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, role } = organization;
  const [timeZone, setTimeZone] = useState(organization.timeZone);
  const [weekStart, setWeekStart] = useState(organization.weekStart);
  const [locale, setLocale] = useState(organization.locale);
  const [currency, setCurrency] = useState(organization.currency);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: OrganizationChange) =>
      call('PATCH /api/organizations/{orgId}', { params: { orgId }, body }),
    onSuccess: () => {
      notifyDone(t('Dates and numbers saved.'));
      return client.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const reason = reasonAgainst('organization.change', role);
  const isLocked = reason !== undefined;
  const zones = timeZones();
  return (
    <Form
      error={change.error}
      action={t('Save dates and numbers')}
      reason={reason}
      isPending={change.isPending}
      onSubmit={() => change.mutate({ timeZone, weekStart, locale, currency })}
    >
      <Select
        label={t('Time zone')}
        description={t(
          'Sets when “today” and “this month” begin and end in dashboard filters and in the query builder.',
        )}
        searchable
        allowDeselect={false}
        readOnly={isLocked}
        data={zones.includes(timeZone) ? zones : [timeZone, ...zones]}
        value={timeZone}
        onChange={(chosen) => setTimeZone(chosen ?? timeZone)}
      />
      <NativeSelect
        label={t('Weeks start on')}
        disabled={isLocked}
        data={weekStarts.map((value) => ({ value, label: weekStartNames[value] }))}
        value={weekStart}
        onChange={(event) => setWeekStart(event.currentTarget.value as WeekStart)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('Language and country')}
          description={t('Sets how dates and numbers are written, and the language of the pages.')}
          searchable
          allowDeselect={false}
          readOnly={isLocked}
          data={localeOptions()}
          value={locale}
          // Sound because the options are the locales.
          onChange={(chosen) => setLocale((chosen as OrganizationLocale | null) ?? locale)}
        />
        <Select
          label={t('Currency')}
          description={t('Of amounts whose format names none.')}
          searchable
          allowDeselect={false}
          readOnly={isLocked}
          data={currencyOptions()}
          value={currency}
          onChange={(chosen) => setCurrency(chosen ?? currency)}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed" role="status">
        {t('Example: {example}', { example: exampleOf(locale, currency) })}
      </Text>
    </Form>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

function localeOptions(): Option[] {
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'language', languageDisplay: 'standard' });
  const options = locales.map((value) => ({ value, label: names.of(value) ?? value }));
  return [
    { value: readersLocale, label: t('As set in each reader’s browser') },
    ...options.toSorted(byLabel),
  ];
}

function currencyOptions(): Option[] {
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'currency' });
  const options = currencies().map((value) => ({ value, label: `${value} – ${names.of(value) ?? value}` }));
  return [{ value: noCurrency, label: t('None') }, ...options];
}

const byLabel = (one: Option, other: Option): number =>
  one.label.localeCompare(other.label, currentLanguage());

/** Returns a date, a number and an amount as they will be written. */
function exampleOf(locale: OrganizationLocale, currency: string): string {
  const tag = locale === readersLocale ? undefined : locale;
  const amount =
    currency === noCurrency ? { minimumFractionDigits: 2 } : ({ style: 'currency', currency } as const);
  return [
    new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.UTC(2026, 11, 31)),
    new Intl.NumberFormat(tag).format(-1_234_567.8),
    new Intl.NumberFormat(tag, amount).format(1_234.5),
  ].join(' · ');
}
