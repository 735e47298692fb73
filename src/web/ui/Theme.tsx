import { MantineProvider } from '@mantine/core';
import { createContext, useContext, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { defaultBranding } from '#shared/branding/branding.ts';
import { styleNonce } from './browser/nonce.ts';
import { cssVariables, themeOf } from './theme.ts';

const SetAccent = createContext((_accent: string): void => {});

/** Gives all pages the theme of Atrium, with the accent color of the page. */
export function Theme({ children }: { readonly children: ReactNode }): ReactNode {
  const [accent, setAccent] = useState(defaultBranding.accentColor);
  const theme = useMemo(() => themeOf(accent), [accent]);
  return (
    <SetAccent value={setAccent}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        {children}
      </MantineProvider>
    </SetAccent>
  );
}

/** Sets the accent color of the page, as `#rrggbb`, for as long as the component is shown. */
export function useAccent(accent: string): void {
  const setAccent = useContext(SetAccent);
  useLayoutEffect(() => {
    setAccent(accent);
    return () => setAccent(defaultBranding.accentColor);
  }, [accent, setAccent]);
}
