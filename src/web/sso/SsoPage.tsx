import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const SsoPage = (): ReactNode => <Page title="Single sign-on">{null}</Page>;
