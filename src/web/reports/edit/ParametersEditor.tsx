import { Button, CloseButton, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReportParameter } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { AllowedFields } from './AllowedFields.tsx';
import { ParameterField } from '../parameters/ParameterField.tsx';
import { withOptional, without } from '../../visualizations/settings/without.ts';

const types: { value: ReportParameter['type']; label: string }[] = [
  { value: 'text', label: t('Text') },
  { value: 'number', label: t('Number') },
  { value: 'boolean', label: t('Yes or no') },
  { value: 'date', label: t('Date') },
  { value: 'datetime', label: t('Date and time') },
  { value: 'list', label: t('Text list') },
];

/** The parameters that the query uses as `{{name}}`. */
export function ParametersEditor({
  parameters,
  onChange,
  error,
  isBuilt,
}: {
  readonly parameters: readonly ReportParameter[];
  readonly onChange: (parameters: ReportParameter[]) => void;
  /** The error of the last save or run. */
  readonly error: unknown;
  /** Whether the query builder has the query, whose filters have the names, the types and the defaults. */
  readonly isBuilt: boolean;
}): ReactNode {
  return (
    <Stack gap="sm">
      {isBuilt && (
        <Text size="xs" c="dimmed">
          {t(
            'The parameters are the filters of the query. Dashboards and links can set their values. To rename one, open its filter and choose More.',
          )}
        </Text>
      )}
      {!isBuilt && parameters.length === 0 && (
        <Text size="xs" c="dimmed">
          {t(
            'Write {{name}} in the query to add a parameter, such as where region = {{region}}. On a dashboard, it becomes a filter.',
          )}
        </Text>
      )}
      {parameters.map((parameter, index) => (
        <ParameterEditor
          // The name can't be the key, because people edit it.
          key={index}
          legend={isBuilt ? parameter.name : t('Parameter {number}', { number: index + 1 })}
          isBuilt={isBuilt}
          parameter={parameter}
          onChange={(changed) => onChange(parameters.with(index, changed))}
          remove={() => onChange(parameters.toSpliced(index, 1))}
          faultOf={(name) => faultAt(error, `/parameters/${index}${name}`)}
        />
      ))}
      {!isBuilt && (
        <Button
          size="xs"
          variant="default"
          disabled={parameters.length >= 50}
          onClick={() =>
            onChange([...parameters, { name: `parameter_${parameters.length + 1}`, type: 'text' }])
          }
        >
          {t('Add a parameter')}
        </Button>
      )}
    </Stack>
  );
}

function ParameterEditor({
  legend,
  parameter,
  onChange,
  remove,
  faultOf,
  isBuilt,
}: {
  readonly legend: string;
  readonly parameter: ReportParameter;
  readonly onChange: (parameter: ReportParameter) => void;
  readonly remove: () => void;
  readonly faultOf: (pointer: string) => string | undefined;
  readonly isBuilt: boolean;
}): ReactNode {
  const { name, label, type, allowed } = parameter;
  return (
    <Fieldset legend={legend} p="xs">
      <Stack gap="xs">
        {!isBuilt && (
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              label={t('Name')}
              size="xs"
              flex={1}
              maxLength={63}
              spellCheck={false}
              error={faultOf('/name')}
              value={name}
              onChange={(event) =>
                onChange({ ...parameter, name: event.currentTarget.value.replaceAll(/\W/g, '_') })
              }
            />
            <CloseButton aria-label={t('Remove {name}', { name })} onClick={remove} />
          </Group>
        )}
        <TextInput
          label={t('Label')}
          size="xs"
          maxLength={200}
          placeholder={name}
          value={label ?? ''}
          onChange={(event) =>
            onChange(withOptional(parameter, 'label', event.currentTarget.value || undefined))
          }
        />
        {!isBuilt && (
          <>
            <Select
              label={t('Type')}
              size="xs"
              allowDeselect={false}
              data={types}
              value={type}
              onChange={(chosen) => {
                const found = types.find(({ value }) => value === chosen)?.value;
                // A default of another type would be refused.
                if (found !== undefined && found !== type)
                  onChange({ ...without(parameter, 'default'), type: found });
              }}
            />
            <ParameterField
              parameter={{ name, label: t('Default'), type }}
              value={parameter.default ?? null}
              allowed={allowed?.values}
              error={faultOf('/default')}
              onChange={(value) => onChange(withOptional(parameter, 'default', value ?? undefined))}
            />
          </>
        )}
        {type !== 'boolean' && (
          <AllowedFields
            parameter={parameter}
            onChange={onChange}
            // The default is the value of the filter, which may not be allowed.
            faultOf={(pointer) =>
              faultOf(pointer) ?? (isBuilt && pointer === '/allowed' ? faultOf('/default') : undefined)
            }
          />
        )}
      </Stack>
    </Fieldset>
  );
}
