import { NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChosenOptions, Delimiter, Encoding, ImportOptions } from '#contract/data-sources/imports.ts';
import { t } from '#shared/language/messages.ts';

const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': t('Unicode (UTF-8)'),
  'utf-16le': t('Unicode (UTF-16)'),
  'utf-16be': t('Unicode (UTF-16, big-endian)'),
  'windows-1252': t('Western European (Windows-1252)'),
  'windows-1250': t('Central European (Windows-1250)'),
  'windows-1251': t('Cyrillic (Windows-1251)'),
  'iso-8859-15': t('Western European (ISO 8859-15)'),
  macintosh: t('Western European (Mac)'),
  shift_jis: t('Japanese (Shift JIS)'),
  gb18030: t('Chinese (GB 18030)'),
  big5: t('Chinese (Big5)'),
  'euc-kr': t('Korean (EUC-KR)'),
};

const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ',': t('Comma'),
  ';': t('Semicolon'),
  '\t': t('Tab character'),
  '|': t('Bar'),
};

const choices = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** The settings by which a text file is read. */
export function ImportSettings({
  options,
  chosen: { columns, ...chosen },
  change,
}: {
  readonly options: ImportOptions;
  readonly chosen: ChosenOptions;
  readonly change: (chosen: ChosenOptions) => void;
}): ReactNode {
  /** Where cells are, or what they say, decides the columns, which are guessed again. */
  const changeForm = (changed: ChosenOptions) => change({ ...chosen, ...changed });
  const changeFormat = (changed: ChosenOptions) =>
    change({ ...chosen, ...changed, ...(columns && { columns }) });
  return (
    <>
      <NativeSelect
        label={t('Encoding')}
        data={choices(encodingNames)}
        value={options.encoding}
        onChange={(event) => changeForm({ encoding: event.currentTarget.value as Encoding })}
      />
      <NativeSelect
        label={t('Delimiter')}
        data={choices(delimiterNames)}
        value={options.delimiter}
        onChange={(event) => changeForm({ delimiter: event.currentTarget.value as Delimiter })}
      />
      <NativeSelect
        label={t('Numbers')}
        data={choices({ '.': '1,234.56', ',': '1.234,56' })}
        value={options.decimalMark}
        onChange={(event) =>
          changeFormat({ decimalMark: event.currentTarget.value as ImportOptions['decimalMark'] })
        }
      />
      <NativeSelect
        label={t('Dates')}
        data={choices({ day_first: t('Day first'), month_first: t('Month first') })}
        value={options.dateOrder}
        onChange={(event) =>
          changeFormat({ dateOrder: event.currentTarget.value as ImportOptions['dateOrder'] })
        }
      />
      <NativeSelect
        label={t('First row')}
        data={choices({ header: t('Names of columns'), data: t('Data') })}
        value={options.hasHeader ? 'header' : 'data'}
        onChange={(event) => changeForm({ hasHeader: event.currentTarget.value === 'header' })}
      />
      <NumberInput
        label={t('Lines to skip')}
        w={110}
        min={0}
        max={1000}
        allowDecimal={false}
        value={options.skipLines}
        onChange={(value) => {
          if (typeof value === 'number' && value !== options.skipLines) changeForm({ skipLines: value });
        }}
      />
    </>
  );
}
