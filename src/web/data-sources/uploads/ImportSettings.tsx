import { NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChosenOptions, Delimiter, Encoding, ImportOptions } from '#contract/data-sources/imports.ts';

const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'iso-8859-15': 'Western European (ISO 8859-15)',
  macintosh: 'Western European (Mac)',
  shift_jis: 'Japanese (Shift JIS)',
  gb18030: 'Chinese (GB 18030)',
  big5: 'Chinese (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
};

const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Bar',
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
        label="Encoding"
        data={choices(encodingNames)}
        value={options.encoding}
        onChange={(event) => changeForm({ encoding: event.currentTarget.value as Encoding })}
      />
      <NativeSelect
        label="Delimiter"
        data={choices(delimiterNames)}
        value={options.delimiter}
        onChange={(event) => changeForm({ delimiter: event.currentTarget.value as Delimiter })}
      />
      <NativeSelect
        label="Numbers"
        data={choices({ '.': '1,234.56', ',': '1.234,56' })}
        value={options.decimalMark}
        onChange={(event) =>
          changeFormat({ decimalMark: event.currentTarget.value as ImportOptions['decimalMark'] })
        }
      />
      <NativeSelect
        label="Dates"
        data={choices({ day_first: 'Day first', month_first: 'Month first' })}
        value={options.dateOrder}
        onChange={(event) =>
          changeFormat({ dateOrder: event.currentTarget.value as ImportOptions['dateOrder'] })
        }
      />
      <NativeSelect
        label="First row"
        data={choices({ header: 'Names of columns', data: 'Data' })}
        value={options.hasHeader ? 'header' : 'data'}
        onChange={(event) => changeForm({ hasHeader: event.currentTarget.value === 'header' })}
      />
      <NumberInput
        label="Lines to skip"
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
