import { SegmentedControl, Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { OfKind } from '#charts/kind.ts';
import type { SettingsProps } from '../kind.ts';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { withOptional, without } from '../settings/without.ts';

export function MapSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'map'>>): ReactNode {
  const [hasPoints, setHasPoints] = useState(v.latitude !== undefined || v.longitude !== undefined);
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('What the map shows')}
        data={[
          { value: 'regions', label: t('Regions') },
          { value: 'points', label: t('Points') },
        ]}
        value={hasPoints ? 'points' : 'regions'}
        onChange={(chosen) => {
          setHasPoints(chosen === 'points');
          onChange(chosen === 'points' ? without(v, 'region') : withoutPoints(v));
        }}
      />
      <Select
        size="xs"
        label={t('Map area')}
        allowDeselect={false}
        data={[
          { value: 'world', label: t('Countries of the world') },
          { value: 'usStates', label: t('States of the USA') },
        ]}
        value={v.map ?? 'world'}
        onChange={(map) => onChange(withOptional(v, 'map', map === 'usStates' ? map : undefined))}
      />
      {hasPoints ? (
        <PointFields visualization={v} columns={columns} onChange={onChange} />
      ) : (
        <OptionalFieldSelect
          label={t('Region')}
          description={t('Names of countries or states, or their codes')}
          columns={columns}
          value={v.region}
          onChange={(region) => onChange(withOptional(v, 'region', region))}
        />
      )}
      <OptionalFieldSelect
        label={hasPoints ? t('Size') : t('Value')}
        columns={columns}
        requirement="measure"
        value={v.value}
        onChange={(value) => onChange(withOptional(v, 'value', value))}
      />
      <FormatFields
        label={t('Number format')}
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
    </>
  );
}

const withoutPoints = (v: OfKind<'map'>): OfKind<'map'> =>
  without(without(without(without(v, 'latitude'), 'longitude'), 'color'), 'label');

const PointFields = ({ visualization: v, columns, onChange }: SettingsProps<OfKind<'map'>>): ReactNode => (
  <>
    <OptionalFieldSelect
      label={t('Latitude')}
      columns={columns}
      requirement="measure"
      value={v.latitude}
      onChange={(latitude) => onChange(withOptional(v, 'latitude', latitude))}
    />
    <OptionalFieldSelect
      label={t('Longitude')}
      columns={columns}
      requirement="measure"
      value={v.longitude}
      onChange={(longitude) => onChange(withOptional(v, 'longitude', longitude))}
    />
    <OptionalFieldSelect
      label={t('Name')}
      columns={columns}
      value={v.label}
      onChange={(label) => onChange(withOptional(v, 'label', label))}
    />
    <OptionalFieldSelect
      label={t('Color by')}
      columns={columns}
      value={v.color}
      onChange={(color) => onChange(withOptional(v, 'color', color))}
    />
  </>
);
